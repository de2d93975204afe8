"""What the drop-in says about itself: the usage lines, and the help of ``-h``."""

from __future__ import annotations

USAGE = """\
usage: irevalcli trec [options] QRELS RUN
  -q        print every query, not only the summary over all of them
  -c        average over every query of QRELS; one that RUN lacks scores 0
  -m NAME   add a measure or a set of measures (default: official)
  -h        explain all options, the file formats, and the measures given by -m
"""

_RULE = "-" * 23 + "\n"

_GENERAL = """\
usage: irevalcli trec [options] QRELS RUN

Measures how well RUN, the ranked results of one system, agrees with QRELS, the
relevance judgments. Options, output, messages and exit codes are those of
trec_eval 10.0, so that scripts written for it can call this command instead.
RUN may be "-", which reads standard input. Both files may also be pipes, or be
compressed with gzip, bzip2 or xz.

Each line of output holds a measure, a query and a value, separated by tabs; the
query "all" stands for the summary. Queries come in byte order, measures always
in the same order, whatever the order of the options.

What to calculate
  -m, --measure NAME[.PARAMETERS]
        Add a measure, or a set of measures: official (the default), all_trec,
        set, prefs, all_prefs, qrels_jg. Repeat the option to add more. Cutoffs
        and other parameters follow the first dot, separated by commas:
        -m P.5,10 -m ndcg_cut.20. If one measure gets parameters twice, the
        first ones are used.
  -l, --level_for_rel N
        Lowest grade that counts as relevant (default 1). Measures that use the
        grade itself, such as ndcg, do not look at it.
  -M, --Max_retrieved_per_topic N
        Keep only the N highest documents of each ranking (default: all).
  -N, --Number_docs_in_coll N
        Documents in the collection (default 0). Only utility needs it.
  -J, --Judged_docs_only
        Take unjudged documents out of each ranking first, so that those below
        move up. The values then no longer describe the ranking as retrieved.
  -Z, --Zscore FILE
        Print z-scores: the distance of each value from the mean, in standard
        deviations. FILE gives mean and deviation for each query and measure in
        lines of the form "qid measure mean deviation". A value without such a
        line prints as -1000000.

Which queries
  -c, --complete_rel_info_wanted
        Average over every query of QRELS. One that RUN lacks counts as a query
        that found nothing. Without -c it ends the run with exit code 4, as in
        trec_eval 10.0. Queries that only RUN holds are never counted.
  -D, --Debug_level N[.QID]
        With QID, evaluate that query alone. The number is accepted and ignored.

What to print
  -q, --query_eval_wanted
        Also print the values of every single query.
  -n, --nosummary
        Leave out the summary lines.

File formats
  -R, --Rel_info_format NAME
        Format of QRELS: qrels (the default), qrels_jg, prefs or qrels_prefs.
  -T, --Results_format NAME
        Format of RUN; only trec_results exists.

Other
  --compat VERSION
        Behave like trec_eval VERSION: 10.0 (the default) or 9.0.8, which among
        other things skips queries that RUN lacks. It cannot be shortened.
  -o, --Output_old_results_format VALUE
        Accepted and ignored; only the long form takes a value.
  -v, --version
        Print the version of trec_eval that is reproduced.
  -h, --help
        Print this text, with the formats given by -R and -T and the measures
        given by -m.

Flags may be joined (-qc), values attached (-l2, --level_for_rel=2), and long
names cut short as long as they stay unique. Options may follow the files;
"--" ends them.
"""

_RESULTS_FORMATS = {
    "trec_results": """\
trec_results: the ranked results of one system, a retrieved document per line

    qid  Q0  docid  rank  score  tag

The documents of a query are ordered by score, the highest first; of documents
with equal scores the one whose docid is larger in byte order comes first. The
second and the fourth field must be there but are not used. The tag names the
run; the one on the last line is printed. Further fields, blank lines and lines
beginning with "#" are ignored. A document may occur once per query.
""",
}

_REL_FORMATS = {
    "qrels": """\
qrels: one judged document per line

    qid  iteration  docid  grade

The grade is an integer: 0 is not relevant, higher is better (see -l), and below
0 the document was in the pool but not judged. The second field is not used. A
document may occur once per query. A line beginning with "#" is a comment unless
the line before it is one; blank lines are errors.
""",
    "qrels_jg": """\
qrels_jg: one judged document per line, with several judgment groups per query

    qid  group  docid  grade

As in qrels, but the second field names the assessor, sub-topic or other group
that judged. A document may occur once per group. The measures of the set
qrels_jg evaluate the ranking against each group and average over the groups.
""",
    "prefs": """\
prefs: preferences among documents, one document per line

    qid  group  subgroup  docid  level

Within a subgroup, a document is preferred to all those of a lower level; levels
are real numbers. The preferences of a group are put together from those of its
subgroups, so that a over b in one and b over c in another yield a over c, and
must not contradict each other. Of documents with equal scores in RUN, the one
whose docid is smaller comes first here. See the sets prefs and all_prefs.
""",
    "qrels_prefs": """\
qrels_prefs: preferences in the layout of qrels, one document per line

    qid  group  docid  level

As in prefs, with a single subgroup in every group, so that an ordinary qrels
file can be read as preferences: a higher grade is preferred to a lower one.
""",
}

_MEASURES_HEADING = "Measures given by -m\n"
_NO_MEASURES = "None was given: add -m NAME to -h to have a measure explained here.\n"


def help_text(marked: list[tuple[str, str]], rel_format: str, results_format: str) -> str:
    """The whole answer to ``-h``, ending in a newline.

    Args:
        marked: name and description of each measure asked for, in the order to print them.
        rel_format: argument of ``-R``; an unknown name has no section.
        results_format: argument of ``-T``; likewise.

    """
    formats = [_RESULTS_FORMATS.get(results_format), _REL_FORMATS.get(rel_format)]
    sections = [_GENERAL, *(text for text in formats if text is not None)]
    measures = "".join(f"{name}\n{_indented(description)}" for name, description in marked)
    return _RULE.join([*sections, _MEASURES_HEADING + (measures or _NO_MEASURES)])


def _indented(text: str) -> str:
    """``text`` with each line set in by four columns and ended by a newline."""
    return "".join(f"    {line}\n" for line in text.splitlines())
