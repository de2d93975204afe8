"""Rules about the lines of a run, each by itself or with those around it: RUN001 to RUN014 and their like."""

from __future__ import annotations

from irevalcli.reading.rule import Rule

_TWO_LINES = "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n"

RUN_FIELDS = Rule(
    "RUN001",
    "wrong number of fields in a run",
    "a run line is: qid Q0 docid rank score tag",
    "error",
    "With a field missing, the ones behind it are read as something else: a rank as the score, or the score as the"
    " run tag.",
    "Every line is split at blanks and tabs.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 tyre-01 2 13.1 bm25\n",
    _TWO_LINES,
)
RUN_SCORE = Rule(
    "RUN002",
    "score is not a number",
    "write scores as decimal numbers such as 14.2 or 1.42e1",
    "error",
    "Many programs read as much of the field as looks like a number: of 1,4 the 1, of nan something that has no place"
    " in any order. The ranking changes, and nothing is said.",
    "The whole field must be a decimal number, or an infinity.",
    "q01 Q0 tyre-04 1 14,2 bm25\nq01 Q0 tyre-01 2 13,1 bm25\n",
    _TWO_LINES,
)
RUN_EXTRA = Rule(
    "RUN003",
    "more than six fields in a run",
    "take the blanks out of ids and tags, or separate the fields by tabs and say --run-format tsv",
    "warning",
    "The fields beyond the sixth are ignored. Often a blank inside an id has moved the other fields to the right.",
    "Every line is split at blanks and tabs. If its tabs or its rank show that a blank parts an id, it is a fault"
    " (RUN001).",
    "q01 Q0 tyre-04 1 14.2 bm25 k1=0.9\n",
    "q01 Q0 tyre-04 1 14.2 bm25-k1=0.9\n",
)
RUN_INFINITE = Rule(
    "RUN004",
    "infinite score",
    "write finite scores",
    "warning",
    "An infinite score puts a document first or last, whatever the others have, and several of them are tied. It is"
    " often the logarithm of 0, or a division by it.",
    "Scores that are written as an infinity are counted. Numbers too large to be held are faults (RUN002).",
    "q01 Q0 tyre-04 1 inf bm25\nq01 Q0 tyre-01 2 13.1 bm25\n",
    _TWO_LINES,
)
RUN_RANKS = Rule(
    "RUN005",
    "rank is not a number",
    "number the ranks, or choose another rule for ties",
    "error",
    "Ranks are read only where they decide something, as under --ties rank. There each must be a number. Elsewhere"
    " nothing depends on it, and it is a warning.",
    "The rank column is read as numbers; validate does so always, other commands if it decides anything.",
    "q01 Q0 tyre-04 first 14.2 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\n",
)
RUN_HEADER = Rule(
    "RUN006",
    "a header line where no header belongs",
    "delete the line, begin it with #, or name the format with --run-format",
    "error",
    "A TREC run has no header. Its words would be read as a query, a document and a score.",
    "The first line has the right number of fields, and none of them is a number.",
    "qid Q0 docid rank score tag\n" + _TWO_LINES,
    _TWO_LINES,
)
RUN_DUPLICATE = Rule(
    "RUN010",
    "duplicate document",
    "keep one line for each query and document",
    "error",
    "A relevant document that is listed twice is counted twice, and a measure can exceed 1. Which of the two scores is"
    " meant cannot be known. Often passages were written under the id of their document, or two runs were joined.",
    "Every pair of query and document is looked up among those before it, compared byte for byte.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\nq01 Q0 tyre-04 3 12.0 bm25\n",
    _TWO_LINES,
)
RUN_RANK_ORDER = Rule(
    "RUN011",
    "rank disagrees with score",
    "make both say the same; --fix renumbers the ranks in the order of the scores",
    "warning",
    "trec_eval and irevalcli order documents by score and do not read the rank. If the rank was the order that you"
    " meant, as after re-ranking with the old scores kept, you are measuring another run.",
    "Documents are put in order by score, ties by document id, descending; their ranks must rise in that order."
    " Ranks within a group of equal scores may stand in any order.",
    "q01 Q0 tyre-01 1 13.1 rerank\nq01 Q0 tyre-04 2 14.2 rerank\n",
    "q01 Q0 tyre-01 1 2 rerank\nq01 Q0 tyre-04 2 1 rerank\n",
    fixable=True,
)
RUN_TAGS = Rule(
    "RUN012",
    "several run tags in one file",
    "write each run into a file of its own",
    "warning",
    "The tag names the system. Two of them in one file are often two runs, whose documents are now mixed.",
    "The different texts of the sixth field are counted.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 colbert\n",
    _TWO_LINES,
)
RUN_INTERLEAVED = Rule(
    "RUN013",
    "the lines of a query do not stand together",
    "sort the lines by query; if two jobs wrote the file, let each write its own",
    "warning",
    "Two jobs that write into one file leave such a mixture, and often half lines or lines that are there twice."
    " Programs that read query by query see only the first block.",
    "A query comes back after another one.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq02 Q0 chain-07 1 9.8 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\nq02 Q0 chain-07 1 9.8 bm25\n",
)
RUN_EQUAL_SCORES = Rule(
    "RUN014",
    "all scores of a query are equal",
    "write a score for each document; if only ranks are known, write 1/rank",
    "warning",
    "Without different scores there is no ranking: the order is that of the document ids. The column may hold a"
    " constant, or the rank and the score may be exchanged.",
    "The scores of a query with two documents or more are one number.",
    "q01 Q0 tyre-04 1 0 bm25\nq01 Q0 tyre-01 2 0 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n",
)
RUN_ASCENDING = Rule(
    "RUN015",
    "scores rise down the file: a distance?",
    "if smaller is better, write the negative of the score",
    "warning",
    "A higher score is better, by convention and for every program. Distances and losses turn the ranking around: what"
    " is best for you counts as worst.",
    "In no query a score is below that of the line above, nor a rank, and scores rise twice at least. Where ranks stand"
    " in the place of scores, they fall.",
    "q01 Q0 tyre-04 1 0.12 ann\nq01 Q0 tyre-01 2 0.31 ann\nq01 Q0 tyre-09 3 0.55 ann\n",
    "q01 Q0 tyre-04 1 -0.12 ann\nq01 Q0 tyre-01 2 -0.31 ann\nq01 Q0 tyre-09 3 -0.55 ann\n",
)
RUN_FIRST_RANK = Rule(
    "RUN018",
    "ranks do not start at 1",
    "number the ranks from 1; --fix renumbers them",
    "note",
    "trec_eval and irevalcli do not read the rank. Programs that do take 0 for an error, or count one document more.",
    "The smallest rank of a query is not 1.",
    "q01 Q0 tyre-04 0 14.2 bm25\nq01 Q0 tyre-01 1 13.1 bm25\n",
    _TWO_LINES,
    fixable=True,
)
RUN_TIES = Rule(
    "RUN019",
    "documents with equal scores",
    "write scores with more digits, if you have them",
    "note",
    "The order of equal scores is a matter of convention. trec_eval goes by document id, descending, so that names"
    " decide; other programs go by the file or the rank, and get other numbers.",
    "Documents whose score another document of the query has are counted.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 14.2 bm25\nq01 Q0 tyre-09 3 11 bm25\n",
    "q01 Q0 tyre-04 1 14.23 bm25\nq01 Q0 tyre-01 2 14.18 bm25\nq01 Q0 tyre-09 3 11 bm25\n",
)
RUN_UNSORTED = Rule(
    "RUN028",
    "the order of the lines is not that of the scores",
    "sort the lines of each query by score, descending",
    "note",
    "Programs that take the order of the file for the ranking get another one than those that go by score.",
    "Somewhere in a query a line has a higher score than the line above it.",
    "q01 Q0 tyre-01 2 13.1 bm25\nq01 Q0 tyre-04 1 14.2 bm25\n",
    _TWO_LINES,
)
RUN_SINGLE_PRECISION = Rule(
    "RUN029",
    "scores differ as double precision and are tied in single precision",
    "write fewer digits, or scores that differ by more",
    "note",
    "trec_eval 9 holds scores in single precision, about seven digits. To it these documents are tied, and it orders"
    " them by id. trec_eval 10 and irevalcli keep what is written.",
    "Scores of a query that differ are rounded to 32 bits, and compared again.",
    "q01 Q0 tyre-04 1 14.200000002 bm25\nq01 Q0 tyre-01 2 14.200000001 bm25\n",
    "q01 Q0 tyre-04 1 14.2002 bm25\nq01 Q0 tyre-01 2 14.2001 bm25\n",
)
