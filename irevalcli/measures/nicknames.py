"""trec_eval's named sets of measures (``-m official``), with the members' trec_eval names in its table order."""

from __future__ import annotations

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_PREFERENCES = (
    "runid", "num_q",
    "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret",
    "prefs_simp", "prefs_pair", "prefs_avgjg",
)  # fmt: skip

SETS: dict[str, tuple[str, ...]] = {
    "official": (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "all_trec": (
        *_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P", "relstring", "recall",
        "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg",
        "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
        "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj",
    ),
    "prefs": _PREFERENCES,
    "all_prefs": (
        *_PREFERENCES,
        "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret",
        "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
    ),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}  # fmt: skip

CUTOFFS = "5,10,15,20,30,100,200,500,1000"
"""trec_eval's cutoffs where none are given."""

RECALL_POINTS = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"
"""Its recall points."""

MULTIPLES_OF_R = "0.2,0.4,0.6,0.8,1,1.2,1.4,1.6,1.8,2"
"""Its multiples of the number of relevant documents."""

DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "RR", "R@1000", "Judged@10")
"""What an evaluation measures unless told otherwise."""

NO_MEASURE = "runid"
"""The one member that is no measure: it prints the run's tag, which only the drop-in does."""
