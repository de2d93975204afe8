"""What ``irevalcli check`` checks: arguments and options put together with the configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli.cli.arguments import STDIN, named_runs
from irevalcli.cli.asking import asked_measures
from irevalcli.cli.check_options import rules_of, terms_of
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Collection

    from irevalcli.analysis.gate.gate import SuiteAsked
    from irevalcli.config.configuration import Configuration
    from irevalcli.config.gate_suites import Suite


def asked_suites(configuration: Configuration, options: dict[str, Any], given: Collection[str]) -> list[SuiteAsked]:
    """The suites of a call. Arguments make a single one; rules on the command line are added to those of the file.

    Args:
        configuration: the file.
        options: of the call, with defaults from the file.
        given: the names of those that the command line gave.

    Raises:
        UsageProblem: judgments or runs are named nowhere, or an option belongs to one suite and there are several.
    """
    terms = terms_of(options)
    further = tuple(rules_of(options, terms))
    suites = _suites(configuration, options, given)
    if len(suites) > 1 and further:
        words = ", ".join(suite.name for suite in suites)
        raise UsageProblem(
            f"{further[0].origin}: the configuration has {len(suites)} suites ({words}), and a rule belongs to one",
            hints=("write it into the file, or name QRELS and RUN",),
        )
    return [_asked(suite, further, options) for suite in suites]


def _suites(configuration: Configuration, options: dict[str, Any], given: Collection[str]) -> tuple[Suite, ...]:
    from irevalcli.config.gate_suites import suites_of  # noqa: PLC0415  (numpy, which --help does without)

    terms = terms_of(options)
    # What the file says of a baseline and of measures may be said anew by a suite.
    own = {name: options[name] for name in ("baseline", "measures") if name in given}
    files = [text for text in (options["qrels"], *options["runs"]) if text is not None]
    if not files:
        suites = suites_of(configuration, terms, given)
        return (suites[0]._replace(**own),) if len(suites) == 1 else suites
    top = {name: setting for name, setting in configuration.top.settings.items() if name != "suite"}
    (whole,) = suites_of(configuration._replace(top=configuration.top._replace(settings=top)), terms, given)
    qrels, *runs = [whole.qrels, *files] if len(files) == 1 and whole.qrels else files
    return (whole._replace(qrels=qrels, runs=tuple(runs) or whole.runs, **own),)


def _asked(suite: Suite, further: tuple[Any, ...], options: dict[str, Any]) -> SuiteAsked:
    from irevalcli.analysis.gate.gate import SuiteAsked  # noqa: PLC0415

    name = f"suite {suite.name}: " if suite.name else ""
    for what, value in (("QRELS", suite.qrels), ("RUN", suite.runs)):
        if not value:
            raise UsageProblem(
                f"{name}{what} is missing",
                hints=("irevalcli check QRELS RUN..., or name them in irevalcli.toml (start one: check --init)",),
            )
    runs = named_runs(suite.runs, suite.qrels)
    baseline = None
    if suite.baseline:
        (baseline,) = named_runs([suite.baseline])
        if [suite.qrels, baseline.path, *(run.path for run in runs)].count(STDIN) > 1:
            raise UsageProblem("standard input (-) can be read once only")
    measures = tuple(asked_measures(suite.measures, options["level"]))
    return SuiteAsked(suite.name, suite.qrels, tuple(runs), baseline, suite.rules + further, measures)
