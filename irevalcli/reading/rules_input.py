"""Rules about files of any kind: INP."""

from __future__ import annotations

from irevalcli.reading.rule import Rule

_TWO_LINES = "q01 Q0 tyre-04 1 14.2 bm25\nq01 Q0 tyre-01 2 13.1 bm25\n"

CANNOT_OPEN = Rule(
    "INP001",
    "file cannot be opened",
    "check the path and its permissions",
    "error",
    "Nothing can be said about a file that cannot be read.",
    "The system refuses to open or to read the file, and says why.",
    "$ irevalcli validate qrels.txt bm25.rum\n",
    "$ irevalcli validate qrels.txt bm25.run\n",
)
IS_DIRECTORY = Rule(
    "INP002",
    "a directory stands where a file is wanted",
    "name the file inside it",
    "error",
    "A directory may hold any number of files, and which of them is meant cannot be guessed.",
    "The system says that the path is a directory.",
    "$ irevalcli validate qrels.txt runs\n",
    "$ irevalcli validate qrels.txt runs/bm25.run\n",
)
DAMAGED = Rule(
    "INP003",
    "compressed or encoded data is damaged or cut off",
    "fetch or write the file again",
    "error",
    "A download or a job that ended too early leaves the first part of a file. Its scores look like real ones.",
    "Unpacking or decoding fails, or the compressed stream ends before its end mark.",
    "$ head -c 1000000 bm25.run.gz > part.gz; irevalcli validate qrels.txt part.gz\n",
    "$ irevalcli validate qrels.txt bm25.run.gz\n",
)
NO_DATA = Rule(
    "INP004",
    "no data line in the file",
    "check what was to write the file: it may have failed",
    "error",
    "An empty file would score 0 for every query, as if the system were bad and not broken.",
    "No line of the file has fields; blank lines and lines that begin with # are no data.",
    "# bm25, k1=0.9\n",
    "# bm25, k1=0.9\n" + _TWO_LINES,
)
BINARY = Rule(
    "INP005",
    "the file holds NUL bytes",
    "this is not a text file; is it the right one?",
    "error",
    "Runs and qrels are text. A NUL byte shows another kind of file, UTF-16 without its byte order mark, or a disk that"
    " was full.",
    "The first NUL byte is looked for.",
    "q01 Q0 tyre-04\x00 1 14.2 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\n",
)
BYTE_ORDER_MARK = Rule(
    "INP006",
    "a byte order mark begins the file, or it is UTF-16",
    "write UTF-8 without a byte order mark",
    "note",
    "irevalcli leaves the mark out and converts UTF-16. trec_eval takes the mark for a part of the first query id, so"
    " that this query is lost without a word.",
    "The first bytes are those of a byte order mark.",
    "\ufeffq01 Q0 tyre-04 1 14.2 bm25\n",
    "q01 Q0 tyre-04 1 14.2 bm25\n",
    fixable=True,
)
CRLF = Rule(
    "INP007",
    "lines end as on Windows (CR LF)",
    "end lines with a line feed alone",
    "note",
    "irevalcli takes the carriage return for a blank. Programs that split at tabs or blanks keep it in the last field,"
    " and a run tag or a grade differs from what is seen.",
    "Lines whose end is a carriage return and a line feed are counted.",
    "q01 Q0 tyre-04 1 14.2 bm25\r\nq01 Q0 tyre-01 2 13.1 bm25\r\n",
    _TWO_LINES,
    fixable=True,
)
NO_FINAL_NEWLINE = Rule(
    "INP008",
    "the last line has no line end",
    "end the last line with a line feed",
    "note",
    "The last line may have been cut off. If the file is joined with another one, its last line and the first one of"
    " the other become one line.",
    "The last byte of the file is no line feed.",
    _TWO_LINES.rstrip("\n"),
    _TWO_LINES,
    fixable=True,
)
NOT_UTF8 = Rule(
    "INP009",
    "the file is not valid UTF-8",
    "convert the file, or make sure that the other one has the same encoding",
    "warning",
    "Ids are compared byte for byte. The same name in Latin-1 here and in UTF-8 there is two names, and the document"
    " counts as unjudged.",
    "The bytes of the file do not decode as UTF-8.",
    "q01 Q0 caf\udce9 1 14.2 bm25\n",
    "q01 Q0 café 1 14.2 bm25\n",
)
NON_ASCII = Rule(
    "INP010",
    "ids hold characters beyond ASCII",
    "make sure that the other file writes them in the same way",
    "note",
    "One character can be written in several ways: é is one code point or two. Ids are compared byte for byte, so the"
    " two do not match.",
    "Lines with bytes above 127 are counted.",
    "q01 Q0 café 1 14.2 bm25\n",
    "q01 Q0 doc-00731 1 14.2 bm25\n",
)
UNKNOWN_FORMAT = Rule(
    "INP011",
    "the format cannot be told, or nothing that was asked can use it",
    "name the format with --run-format or --qrels-format",
    "error",
    "Columns that are read as something else give numbers that look right and are wrong.",
    "The first lines are compared with every format that is known.",
    "relevant: tyre-04, tyre-01\n",
    "q01 0 tyre-04 1\nq01 0 tyre-01 1\n",
)
ARCHIVE = Rule(
    "INP012",
    "the archive cannot be used",
    "unpack it, and name the files",
    "error",
    "An archive holds many files. If one of them is encrypted, damaged or no run, it is not clear which are meant.",
    "The list of the archive's members is read, and each of them.",
    "$ irevalcli validate qrels.txt everything.zip\n",
    "$ irevalcli validate qrels.txt runs/*.run\n",
)
NOT_JSON = Rule(
    "INP013",
    "the file is not JSON of the shape {qid: {docid: number}}",
    "write an object for each query, with a number for each document",
    "error",
    "What stands elsewhere in the file is not read, so documents would be missing without a word.",
    "The file is read as one JSON object whose values are objects.",
    '{"q01": ["doc-00731", "doc-00012"]}\n',
    '{"q01": {"doc-00731": 14.2, "doc-00012": 11.5}}\n',
)
