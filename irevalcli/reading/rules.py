"""The rule codes of faults and oddities in input files. A code is never reused."""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """What a code stands for: a title, and what to do about it."""

    code: str
    title: str
    help: str = ""


CANNOT_OPEN = Rule("INP001", "file cannot be opened", "check the path and its permissions")
IS_DIRECTORY = Rule("INP002", "a directory stands where a file is wanted", "name the file inside it")
DAMAGED = Rule("INP003", "compressed or encoded data is damaged or cut off", "fetch or write the file again")
NO_DATA = Rule("INP004", "no data line in the file")
BINARY = Rule("INP005", "the file holds NUL bytes", "this is not a text file; is it the right one?")

RUN_FIELDS = Rule("RUN001", "wrong number of fields in a run", "a run line is: qid Q0 docid rank score tag")
RUN_SCORE = Rule("RUN002", "score is not a number", "write scores as decimal numbers such as 14.2 or 1.42e1")
RUN_EXTRA = Rule("RUN003", "more than six fields in a run")
RUN_INFINITE = Rule("RUN004", "infinite score")
RUN_RANKS = Rule("RUN005", "rank is not a number", "number the ranks, or choose another rule for ties")
RUN_DUPLICATE = Rule("RUN010", "duplicate document", "keep one line for each query and document")
RUN_TAGS = Rule("RUN012", "several run tags in one file")
RUN_NO_COMMON = Rule("RUN020", "no query in common with the qrels")

QRELS_FIELDS = Rule("QRL001", "wrong number of fields in qrels", "a qrels line is: qid 0 docid grade")
QRELS_GRADE = Rule("QRL002", "grade is not a number", "write grades as numbers such as 0, 1 or 2")
QRELS_REPEATED = Rule("QRL010", "judgment repeated with the same grade")
QRELS_CONFLICT = Rule("QRL011", "two grades for one document", "keep one of the two lines")
QRELS_SUBTOPICS = Rule("QRL012", "documents judged for several sub-topics")

POPULARITY_FIELDS = Rule("POP001", "wrong number of fields in a popularity file", "a line is: docid count")
POPULARITY_COUNT = Rule("POP002", "count is not a number of 0 or more", "write counts as numbers such as 0 or 17")
POPULARITY_DUPLICATE = Rule("POP010", "document counted twice", "keep one line for each document")

PREFERENCE_TWO_LEVELS = Rule("PRF001", "document at two levels in one sub-group", "keep one of its levels")
PREFERENCE_ZERO_AND_MORE = Rule("PRF002", "document at level 0 and above 0 in one group", "keep one of its levels")
PREFERENCE_CYCLE = Rule("PRF003", "preferences of a group contradict each other", "put them into different groups")
PREFERENCE_NAN = Rule("PRF004", "preference level is not a number", "write levels as numbers such as 0, 1 or 2.5")
