"""Rules about a whole run, and about a run beside its qrels: RUN016, RUN017, RUN020 to RUN027."""

from __future__ import annotations

from irevalcli.reading.rule import Rule

_QRELS = "q01 0 tyre-01 3\nq01 0 tyre-04 1\nq02 0 chain-07 2\n"
_TWO_QUERIES = "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\nq02 Q0 chain-07 1 9.8 bm25\n"

RUN_TIES_AT_CUTOFF = Rule(
    "RUN016",
    "ties touch a cutoff: a measure could have another value",
    "write scores with more digits, or evaluate with --ties average, best or worst to see the range",
    "warning",
    "If documents on both sides of a cutoff have one score, their ids decide which of them count. Another program, or"
    " other ids, and the number is another, although the system is the same.",
    "For each cutoff, the best and the worst order of the documents tied across it are scored.",
    "q01 Q0 tyre-09 1 14.2 bm25\nq01 Q0 tyre-04 2 13.1 bm25\nq01 Q0 tyre-01 3 13.1 bm25\n",
    "q01 Q0 tyre-09 1 14.2 bm25\nq01 Q0 tyre-04 2 13.12 bm25\nq01 Q0 tyre-01 3 13.08 bm25\n",
    beside=_QRELS,
    limited="the cutoffs of --cutoff",
)
RUN_TOO_LONG = Rule(
    "RUN017",
    "too many documents for a query",
    "cut the run at that depth",
    "warning",
    "Tracks accept so many documents for each query, and refuse a run that has more. Runs of different depth are hard"
    " to compare by measures without a cutoff.",
    "The documents of each query are counted.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\nq01 Q0 tyre-09 3 12.0 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n",
    preset_trec="error",
    limited="--limit, or --preset trec, whose limit is 1000",
)
RUN_NO_COMMON = Rule(
    "RUN020",
    "no query in common with the qrels",
    "check that these are the qrels of this run, and how both write their query ids",
    "error",
    "Every measure would be 0. The qrels are those of another topic set, or the ids are written in another way.",
    "The query ids of both files are compared byte for byte.",
    "1 Q0 tyre-04 1 14.2 bm25\n2 Q0 chain-07 1 9.8 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\nq02 Q0 chain-07 1 9.8 bm25\n",
    beside=_QRELS,
)
RUN_MISSING_QUERIES = Rule(
    "RUN021",
    "judged queries are missing from the run",
    "find out why nothing was retrieved for them",
    "warning",
    "irevalcli counts a missing query as 0. trec_eval without -c leaves it out of the mean, which then looks better the"
    " more of the hard queries are missing.",
    "The queries of the qrels are looked up in the run.",
    "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n",
    _TWO_QUERIES,
    beside=_QRELS,
    preset_trec="error",
)
RUN_UNJUDGED_QUERIES = Rule(
    "RUN022",
    "queries of the run have no judgments",
    "check that these are the qrels of this run",
    "warning",
    "They count in no measure. A few are usual, where a track judged a part of its topics; many point to other qrels.",
    "The queries of the run are looked up in the qrels.",
    _TWO_QUERIES + "q99 Q0 lock-02 1 7.5 bm25\n",
    _TWO_QUERIES,
    beside=_QRELS,
)
RUN_LIKE_IDS = Rule(
    "RUN023",
    "ids look alike but differ",
    "write the ids of both files in the same way; see the pair that is named",
    "warning",
    "Ids are compared byte for byte: 007 is not 7, and D1 is not d1. Documents written in another way count as"
    " unjudged, and queries as missing.",
    "Ids that do not match are compared again without leading zeros, letter case, quotes, a common prefix or suffix,"
    " and after Unicode normalisation.",
    "q01 Q0 TYRE-04 1 14.2 bm25\nq01 Q0 TYRE-01 2 13.1 bm25\nq02 Q0 CHAIN-07 1 9.8 bm25\n",
    _TWO_QUERIES,
    beside=_QRELS,
)
RUN_FEW_JUDGED = Rule(
    "RUN024",
    "few of the first documents are judged",
    "judge more of them (irevalcli pool lists them), or report measures that know of gaps, such as Judged@10 and bpref",
    "warning",
    "An unjudged document counts as not relevant. A system that did not take part in the pooling finds documents that"
    " nobody judged, and its scores are too low.",
    "Of the first k documents of each query, the share that is judged is averaged over the queries with so many"
    " judgments. Less than half is few.",
    "q01 Q0 tyre-01 1 14.2 new\nq01 Q0 tyre-52 2 13.1 new\nq01 Q0 tyre-77 3 12 new\nq01 Q0 tyre-90 4 11 new\n",
    "q01 Q0 tyre-01 1 14.2 bm25\nq01 Q0 tyre-04 2 13.1 bm25\n",
    beside="q01 0 tyre-01 3\nq01 0 tyre-04 1\nq01 0 tyre-09 0\nq01 0 tyre-12 0\n",
)
RUN_NONE_JUDGED = Rule(
    "RUN025",
    "no retrieved document is judged: docids of another collection?",
    "check that run and qrels speak of one collection, and how both write their document ids",
    "warning",
    "Every measure would be 0. The ids may be line numbers, passages instead of documents, or of another version of the"
    " collection.",
    "No document of a judged query is among those that the qrels have for it.",
    "q01 Q0 8812 1 14.2 bm25\nq01 Q0 731 2 13.1 bm25\nq02 Q0 10442 1 9.8 bm25\n",
    _TWO_QUERIES,
    beside=_QRELS,
)
RUN_TAG = Rule(
    "RUN026",
    "run tag too long or with other characters than allowed",
    "shorten the tag, and use letters, digits, '-', '_' and '.'",
    "error",
    "TREC refuses runs whose tag it cannot use as the name of a file or as a column.",
    "Under --preset trec the tag has at most 20 characters, which are letters, digits, '-', '_' or '.'.",
    "q01 Q0 tyre-04 1 14.2 my/bm25-with-default-parameters\n",
    "q01 Q0 tyre-04 1 14.2 my-bm25\n",
    limited="--preset trec",
)
RUN_SWAPPED_COLUMNS = Rule(
    "RUN027",
    "two columns look swapped",
    "write the columns in the order: qid Q0 docid rank score tag",
    "warning",
    "With query and document, or rank and score, in each other's place, the file still has six fields and two numbers,"
    " and everything it says is wrong.",
    "Ids of the qrels stand in another column of the run than they should; or the scores count up by one from line to"
    " line while the ranks fall.",
    "tyre-04 Q0 q01 1 14.2 bm25\ntyre-01 Q0 q01 2 13.1 bm25\nchain-07 Q0 q02 1 9.8 bm25\n",
    _TWO_QUERIES,
    beside=_QRELS,
)
