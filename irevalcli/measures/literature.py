"""The table of everything that the records cite, in order of key."""

from __future__ import annotations

from irevalcli.measures.references import Reference

_AZZOPARDI = "Azzopardi, Leif"
_CLARKE = "Clarke, Charles L. A."
_MOFFAT = "Moffat, Alistair"
_ROBERTSON = "Robertson, Stephen E."
_SAKAI = "Sakai, Tetsuya"
_SCHOLER = "Scholer, Falk"
_THOMAS = "Thomas, Paul"
_VOORHEES = "Voorhees, Ellen M."


def _authors(*names: str) -> str:
    return " and ".join(names)


def _paper(key: str, authors: str, title: str, conference: str) -> Reference:
    """A paper of a conference, which ends with the year: ``SIGIR 2008``."""
    where, _, year = conference.rpartition(" ")
    return Reference(key, "inproceedings", authors, title, where, year)


def _article(key: str, authors: str, title: str, journal: str, issue: str) -> Reference:
    """A paper in a journal; `issue` ends with the year: ``20(4), 2002``."""
    number, _, year = issue.partition(", ")
    return Reference(key, "article", authors, title, journal, year, number)


_TABLE = (
    _paper(
        "agrawal2009",
        _authors("Agrawal, Rakesh", "Gollapudi, Sreenivas", "Halverson, Alan", "Ieong, Samuel"),
        "Diversifying Search Results",
        "WSDM 2009",
    ),
    _paper(
        "azzopardi2014",
        _AZZOPARDI,
        "Modelling interaction with economic models of search",
        "SIGIR 2014",
    ),
    _paper(
        "azzopardi2018",
        _authors(_AZZOPARDI, _THOMAS, "Craswell, Nick"),
        "Measuring the utility of search engine result pages: an information foraging based measure",
        "SIGIR 2018",
    ),
    _paper(
        "azzopardi2019",
        _authors(_AZZOPARDI, _THOMAS, _MOFFAT),
        "cwl_eval: An evaluation tool for information retrieval",
        "SIGIR 2019",
    ),
    _paper(
        "azzopardi2021",
        _authors(_AZZOPARDI, "Mackenzie, Joel", _MOFFAT),
        "ERR is not C/W/L: exploring the relationship between expected reciprocal rank and other metrics",
        "ICTIR 2021",
    ),
    _paper(
        "bassani2022",
        "Bassani, Elias",
        "ranx: A Blazing-Fast Python Library for Ranking Evaluation and Comparison",
        "ECIR 2022",
    ),
    _paper(
        "buckley2004",
        _authors("Buckley, Chris", _VOORHEES),
        "Retrieval Evaluation with Incomplete Information",
        "SIGIR 2004",
    ),
    Reference(
        "buckley2005",
        "incollection",
        _authors("Buckley, Chris", _VOORHEES),
        "Retrieval System Evaluation",
        "TREC: Experiment and Evaluation in Information Retrieval",
        "2005",
        publisher="MIT Press",
    ),
    _paper(
        "burges2005",
        _authors(
            "Burges, Chris",
            "Shaked, Tal",
            "Renshaw, Erin",
            "Lazier, Ari",
            "Deeds, Matt",
            "Hamilton, Nicole",
            "Hullender, Greg",
        ),
        "Learning to rank using gradient descent",
        "ICML 2005",
    ),
    _paper(
        "carterette2008",
        _authors("Carterette, Ben", "Bennett, Paul N.", "Chickering, David Maxwell", "Dumais, Susan T."),
        "Here or There: Preference Judgments for Relevance",
        "ECIR 2008",
    ),
    _paper(
        "castells2011",
        _authors("Castells, Pablo", "Vargas, Saúl", "Wang, Jun"),
        "Novelty and Diversity Metrics for Recommender Systems: Choice, Discovery and Relevance",
        "DDR at ECIR 2011",
    ),
    _paper(
        "chapelle2009",
        _authors("Chapelle, Olivier", "Metzler, Donald", "Zhang, Ya", "Grinspan, Pierre"),
        "Expected Reciprocal Rank for Graded Relevance",
        "CIKM 2009",
    ),
    _paper(
        "clarke2008",
        _authors(
            _CLARKE,
            "Kolla, Maheedhar",
            "Cormack, Gordon V.",
            "Vechtomova, Olga",
            "Ashkan, Azin",
            "Büttcher, Stefan",
            "MacKinnon, Ian",
        ),
        "Novelty and Diversity in Information Retrieval Evaluation",
        "SIGIR 2008",
    ),
    _paper(
        "clarke2009",
        _authors(_CLARKE, "Kolla, Maheedhar", "Vechtomova, Olga"),
        "An Effectiveness Measure for Ambiguous and Underspecified Queries",
        "ICTIR 2009",
    ),
    _paper(
        "clarke2011",
        _authors(_CLARKE, "Craswell, Nick", "Soboroff, Ian", "Ashkan, Azin"),
        "A Comparative Analysis of Cascade Measures for Novelty and Diversity",
        "WSDM 2011",
    ),
    _article(
        "clarke2021",
        _authors(_CLARKE, "Vtyurina, Alexandra", "Smucker, Mark D."),
        "Assessing Top-k Preferences",
        "TOIS",
        "39(3), 2021",
    ),
    _paper(
        "dincer2014",
        _authors("Dinçer, B. Taner", "Macdonald, Craig", "Ounis, Iadh"),
        "Hypothesis testing for the risk-sensitive evaluation of retrieval systems",
        "SIGIR 2014",
    ),
    _paper(
        "dincer2016",
        _authors("Dinçer, B. Taner", "Macdonald, Craig", "Ounis, Iadh"),
        "Risk-Sensitive Evaluation and Learning to Rank using Multiple Baselines",
        "SIGIR 2016",
    ),
    _paper(
        "ge2010",
        _authors("Ge, Mouzhi", "Delgado-Battenfeld, Carla", "Jannach, Dietmar"),
        "Beyond accuracy: evaluating recommender systems by coverage and serendipity",
        "RecSys 2010",
    ),
    _article(
        "herlocker2004",
        _authors("Herlocker, Jonathan L.", "Konstan, Joseph A.", "Terveen, Loren G.", "Riedl, John T."),
        "Evaluating collaborative filtering recommender systems",
        "TOIS",
        "22(1), 2004",
    ),
    _paper(
        "hull1999",
        _authors("Hull, David A.", _ROBERTSON),
        "The TREC-8 Filtering Track Final Report",
        "TREC-8, 1999",
    ),
    _article(
        "jarvelin2002",
        _authors("Järvelin, Kalervo", "Kekäläinen, Jaana"),
        "Cumulated gain-based evaluation of IR techniques",
        "TOIS",
        "20(4), 2002",
    ),
    _paper(
        "kantor1996",
        _authors("Kantor, Paul B.", _VOORHEES),
        "Report on the TREC-5 confusion track",
        "TREC-5, 1996",
    ),
    _paper(
        "macavaney2022",
        _authors("MacAvaney, Sean", "Macdonald, Craig", "Ounis, Iadh"),
        "Streamlining Evaluation with ir-measures",
        "ECIR 2022",
    ),
    Reference(
        "manning2008",
        "book",
        _authors("Manning, Christopher D.", "Raghavan, Prabhakar", "Schütze, Hinrich"),
        "Introduction to Information Retrieval",
        year="2008",
        publisher="Cambridge University Press",
    ),
    _article(
        "moffat2008",
        _authors(_MOFFAT, "Zobel, Justin"),
        "Rank-biased precision for measurement of retrieval effectiveness",
        "TOIS",
        "27(1), 2008",
    ),
    _paper(
        "moffat2012",
        _authors(_MOFFAT, _SCHOLER, _THOMAS),
        "Models and metrics: IR evaluation as a user process",
        "ADCS 2012",
    ),
    _paper(
        "moffat2013",
        _authors(_MOFFAT, _THOMAS, _SCHOLER),
        "Users versus models: what observation tells us about effectiveness metrics",
        "CIKM 2013",
    ),
    _article(
        "moffat2017",
        _authors(_MOFFAT, "Bailey, Peter", _SCHOLER, _THOMAS),
        "Incorporating user expectations and behavior into the measurement of search effectiveness",
        "TOIS",
        "35(3), 2017",
    ),
    Reference("ntcireval", "misc", _SAKAI, "NTCIREVAL"),
    _paper(
        "palotti2019",
        _authors("Palotti, Joao", "Scells, Harrisen", "Zuccon, Guido"),
        "TrecTools: an Open-source Python Library for Information Retrieval Practitioners Involved in TREC-like "
        "Campaigns",
        "SIGIR 2019",
    ),
    Reference(
        "rijsbergen1979",
        "book",
        "van Rijsbergen, C. J.",
        "Information Retrieval",
        year="1979",
        publisher="Butterworths",
        edition="2nd",
    ),
    _paper(
        "robertson2006",
        _ROBERTSON,
        "On GMAP: and other transformations",
        "CIKM 2006",
    ),
    _paper(
        "robertson2010",
        _authors(_ROBERTSON, "Kanoulas, Evangelos", "Yilmaz, Emine"),
        "Extending Average Precision to Graded Relevance Judgments",
        "SIGIR 2010",
    ),
    _paper(
        "robertson2012",
        _ROBERTSON,
        "On Smoothing Average Precision",
        "ECIR 2012",
    ),
    _paper(
        "sakai2007late",
        _SAKAI,
        "On penalising late arrival of relevant documents in information retrieval evaluation with graded relevance",
        "EVIA 2007",
    ),
    _article(
        "sakai2007one",
        _SAKAI,
        "On the properties of evaluation metrics for finding one highly relevant document",
        "IPSJ Digital Courier",
        "3, 2007",
    ),
    _article(
        "sakai2007reliability",
        _SAKAI,
        "On the reliability of information retrieval metrics based on graded relevance",
        "IP&M",
        "43(2), 2007",
    ),
    _paper(
        "sakai2008",
        _authors(_SAKAI, _ROBERTSON),
        "Modelling a user population for designing information retrieval metrics",
        "EVIA 2008",
    ),
    _paper(
        "sakai2013",
        _authors(_SAKAI, "Dou, Zhicheng"),
        "Summaries, ranked retrieval and sessions: a unified framework for information access evaluation",
        "SIGIR 2013",
    ),
    _article(
        "sakai2020",
        _authors(_SAKAI, "Zeng, Zhaohao"),
        "Retrieval Evaluation Measures that Agree with Users' SERP Preferences",
        "TOIS",
        "39(2), 2020",
    ),
    Reference(
        "shani2011",
        "incollection",
        _authors("Shani, Guy", "Gunawardana, Asela"),
        "Evaluating Recommendation Systems",
        "Recommender Systems Handbook",
        "2011",
        publisher="Springer",
    ),
    _paper(
        "smucker2012",
        _authors("Smucker, Mark D.", _CLARKE),
        "Time-based calibration of effectiveness measures",
        "SIGIR 2012",
    ),
    Reference("trec_eval", "misc", "{NIST}", "trec_eval", "https://github.com/usnistgov/trec_eval"),
    _paper(
        "voorhees1999",
        _VOORHEES,
        "The TREC-8 Question Answering Track Report",
        "TREC-8, 1999",
    ),
    _paper(
        "wang2012",
        _authors("Wang, Lidan", "Bennett, Paul N.", "Collins-Thompson, Kevyn"),
        "Robust ranking models via risk-sensitive optimization",
        "SIGIR 2012",
    ),
    _paper(
        "yilmaz2006",
        _authors("Yilmaz, Emine", "Aslam, Javed A."),
        "Estimating Average Precision with Incomplete and Imperfect Judgments",
        "CIKM 2006",
    ),
    _paper(
        "zhai2003",
        _authors("Zhai, ChengXiang", "Cohen, William W.", "Lafferty, John"),
        "Beyond Independent Relevance: Methods and Evaluation Metrics for Subtopic Retrieval",
        "SIGIR 2003",
    ),
    _paper(
        "zhang2017",
        _authors("Zhang, Fan", "Liu, Yiqun", "Li, Xin", "Zhang, Min", "Xu, Yinghui", "Ma, Shaoping"),
        "Evaluating web search with a Bejeweled player model",
        "SIGIR 2017",
    ),
    _article(
        "zhou2010",
        _authors(
            "Zhou, Tao",
            "Kuscsik, Zoltán",
            "Liu, Jian-Guo",
            "Medo, Matúš",
            "Wakeling, Joseph Rushton",
            "Zhang, Yi-Cheng",
        ),
        "Solving the apparent diversity-accuracy dilemma of recommender systems",
        "PNAS",
        "107(10), 2010",
    ),
    _paper(
        "zuccon2016",
        "Zuccon, Guido",
        "Understandability Biased Evaluation for Information Retrieval",
        "ECIR 2016",
    ),
)

LITERATURE = {reference.key: reference for reference in _TABLE}
"""Every reference by its key."""
