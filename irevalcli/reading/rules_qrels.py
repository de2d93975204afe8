"""Rules about qrels and the other files of judgments: QRL, PRF, POP."""

from __future__ import annotations

from irevalcli.reading.rule import Rule

QRELS_FIELDS = Rule(
    "QRL001",
    "wrong number of fields in qrels",
    "a qrels line is: qid 0 docid grade",
    "error",
    "With a field missing or one too many, something else is read as the document or its grade.",
    "Every line is split at blanks and tabs.",
    "q01 0 tyre-01 3\nq01 tyre-04 1\n",
    "q01 0 tyre-01 3\nq01 0 tyre-04 1\n",
)
QRELS_GRADE = Rule(
    "QRL002",
    "grade is not a number",
    "write grades as numbers such as 0, 1 or 2",
    "error",
    "Many programs read words as 0, so that the document counts as not relevant, and nothing is said.",
    "The whole field must be a decimal number.",
    "q01 0 tyre-01 relevant\n",
    "q01 0 tyre-01 1\n",
)
QRELS_ODD_GRADE = Rule(
    "QRL003",
    "a grade far from the rest",
    "check whether it is a slip; --relevance and nDCG(gains=…) say what grades are worth",
    "warning",
    "Graded measures take the grade for the gain: a single 30 among grades from 0 to 3 outweighs all others of the"
    " query.",
    "A grade that one judgment in a hundred has, or a single one, and that is at least twice the highest of the others"
    " and 3 above it. The others must be four fifths of the judgments.",
    "q01 0 tyre-01 2\nq01 0 tyre-04 1\nq01 0 tyre-09 0\nq02 0 chain-07 2\nq02 0 chain-03 1\nq02 0 chain-01 30\n",
    "q01 0 tyre-01 2\nq01 0 tyre-04 1\nq01 0 tyre-09 0\nq02 0 chain-07 2\nq02 0 chain-03 1\nq02 0 chain-01 3\n",
)
QRELS_NO_RELEVANT = Rule(
    "QRL004",
    "query without a relevant document",
    "leave the query out (--no-relevant skip), or say that it counts as 0",
    "warning",
    "No system can score on it. It lowers every mean by the same share, and programs disagree whether it counts.",
    "No document of the query has a grade of 1 or more.",
    "q01 0 tyre-01 3\nq02 0 chain-07 0\n",
    "q01 0 tyre-01 3\nq02 0 chain-07 1\n",
)
QRELS_DECIMALS = Rule(
    "QRL005",
    "grades with decimals",
    "multiply the grades to whole numbers if other programs are to read them",
    "warning",
    "trec_eval reads a grade up to its decimal point: 0.8 is 0, not relevant. irevalcli keeps it, so the two differ.",
    "Grades that are no whole numbers are counted.",
    "q01 0 tyre-01 2.5\nq01 0 tyre-04 0.8\n",
    "q01 0 tyre-01 25\nq01 0 tyre-04 8\n",
)
QRELS_INTERLEAVED = Rule(
    "QRL006",
    "the judgments of a query do not stand together",
    "sort the lines by query",
    "note",
    "irevalcli joins the blocks of a query. Programs that read query by query see only the first or the last one.",
    "A query comes back after another one.",
    "q01 0 tyre-01 3\nq02 0 chain-07 2\nq01 0 tyre-04 1\n",
    "q01 0 tyre-01 3\nq01 0 tyre-04 1\nq02 0 chain-07 2\n",
)
QRELS_NEGATIVE = Rule(
    "QRL007",
    "negative grades",
    "make sure that they mean what --negative says",
    "note",
    "By convention a negative grade is a document that was pooled and not judged, or spam. trec_eval and irevalcli"
    " count it as unjudged; --negative nonrelevant counts it as judged and not relevant.",
    "Grades below 0 are counted.",
    "q01 0 tyre-01 3\nq01 0 tyre-04 -2\n",
    "q01 0 tyre-01 3\nq01 0 tyre-04 0\n",
)
QRELS_REPEATED = Rule(
    "QRL010",
    "judgment repeated with the same grade",
    "keep one line for each query and document",
    "warning",
    "irevalcli counts the document once. trec_eval stops at such a file.",
    "Every pair of query and document is looked up among those before it.",
    "q01 0 tyre-01 3\nq01 0 tyre-04 1\nq01 0 tyre-01 3\n",
    "q01 0 tyre-01 3\nq01 0 tyre-04 1\n",
)
QRELS_CONFLICT = Rule(
    "QRL011",
    "two grades for one document",
    "keep one of the two lines",
    "error",
    "Which of the grades is meant cannot be known, and programs take the first, the last, or the highest.",
    "Every pair of query and document is looked up among those before it, and the grades are compared.",
    "q01 0 tyre-01 3\nq01 0 tyre-01 1\n",
    "q01 0 tyre-01 3\n",
)
QRELS_SUBTOPICS = Rule(
    "QRL012",
    "documents judged for several sub-topics",
    "ask for a measure that knows sub-topics, such as alpha_nDCG@10, if they are meant",
    "note",
    "Measures that do not know sub-topics see one grade for each document, the highest. trec_eval stops at such a"
    " file.",
    "A document stands under several values of the second column.",
    "q01 1 tyre-01 1\nq01 2 tyre-01 1\n",
    "q01 0 tyre-01 1\n",
)

POPULARITY_FIELDS = Rule(
    "POP001",
    "wrong number of fields in a popularity file",
    "a line is: docid count",
    "error",
    "With another number of fields it is not clear which of them is the document.",
    "Every line is split at blanks and tabs.",
    "tyre-01 often 17\n",
    "tyre-01 17\n",
)
POPULARITY_COUNT = Rule(
    "POP002",
    "count is not a number of 0 or more",
    "write counts as numbers such as 0 or 17",
    "error",
    "Novelty is the logarithm of a share, and there is no share of a negative count.",
    "The whole second field must be a decimal number.",
    "tyre-01 often\n",
    "tyre-01 17\n",
)
POPULARITY_DUPLICATE = Rule(
    "POP010",
    "document counted twice",
    "keep one line for each document",
    "error",
    "Whether the counts are to be added cannot be known.",
    "Every document is looked up among those before it.",
    "tyre-01 17\ntyre-01 4\n",
    "tyre-01 21\n",
)

PREFERENCE_TWO_LEVELS = Rule(
    "PRF001",
    "document at two levels in one sub-group",
    "keep one of its levels",
    "error",
    "A document cannot be preferred to itself.",
    "Within a sub-group, every document is looked up among those before it.",
    "q01 judge1 part1 tyre-01 2\nq01 judge1 part1 tyre-01 1\n",
    "q01 judge1 part1 tyre-01 2\nq01 judge1 part1 tyre-04 1\n",
)
PREFERENCE_ZERO_AND_MORE = Rule(
    "PRF002",
    "document at level 0 and above 0 in one group",
    "keep one of its levels",
    "error",
    "Level 0 says that the document is not relevant, any other that it is.",
    "The levels of a document in all sub-groups of a group are compared.",
    "q01 judge1 part1 tyre-01 2\nq01 judge1 part2 tyre-01 0\n",
    "q01 judge1 part1 tyre-01 2\nq01 judge1 part2 tyre-01 1\n",
)
PREFERENCE_CYCLE = Rule(
    "PRF003",
    "preferences of a group contradict each other",
    "put them into different groups",
    "error",
    "If A is better than B in one sub-group and B better than A in another, no ranking agrees with both.",
    "All preferences of a group are followed from document to document; none may lead back to where it began.",
    "q01 judge1 part1 A 2\nq01 judge1 part1 B 1\nq01 judge1 part2 B 2\nq01 judge1 part2 A 1\n",
    "q01 judge1 part1 A 2\nq01 judge1 part1 B 1\nq01 judge2 part2 B 2\nq01 judge2 part2 A 1\n",
)
PREFERENCE_NAN = Rule(
    "PRF004",
    "preference level is not a number",
    "write levels as numbers such as 0, 1 or 2.5",
    "error",
    "A level that is no number is neither above nor below another one.",
    "The last field is read as a number.",
    "q01 judge1 part1 tyre-01 nan\n",
    "q01 judge1 part1 tyre-01 2\n",
)
