# Written by `make stub` from the signatures of the public functions; a test compares it with them.
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from princeps.api.answers import Exact as Exact
from princeps.api.answers import ExactProbability as ExactProbability
from princeps.api.answers import ExactRing as ExactRing
from princeps.api.answers import FairAdversary as FairAdversary
from princeps.api.answers import Results as Results
from princeps.api.answers import WorstStarts as WorstStarts
from princeps.api.check import FindingObserver
from princeps.api.checking.report import Checked
from princeps.api.exact import PhaseObserver
from princeps.api.new import NewFile
from princeps.api.prove import Proof
from princeps.api.run import RunObserver
from princeps.api.warm import Warmed
from princeps.campaign.fit import Fit
from princeps.campaign.merge import Merged
from princeps.campaign.sweep import SweepObserver
from princeps.engines.estimate import Estimate
from princeps.engines.rings.impossibility import Impossibility
from princeps.engines.rings.session import RingSession
from princeps.engines.rings.survey import Survey
from princeps.engines.session import Session
from princeps.errors import Interrupted as Interrupted
from princeps.errors import PrincepsError as PrincepsError
from princeps.figures.drawing import PaperFigure
from princeps.figures.slider import VBox
from princeps.model import LEFT as LEFT
from princeps.model import RIGHT as RIGHT
from princeps.model import Agent as Agent
from princeps.model import Bit as Bit
from princeps.model import Blocks as Blocks
from princeps.model import Closed as Closed
from princeps.model import Config as Config
from princeps.model import Counted as Counted
from princeps.model import Counts as Counts
from princeps.model import Derived as Derived
from princeps.model import EveryAgent as EveryAgent
from princeps.model import EveryMeeting as EveryMeeting
from princeps.model import Field as Field
from princeps.model import Flag as Flag
from princeps.model import GroupSpec as GroupSpec
from princeps.model import Guarded as Guarded
from princeps.model import Input as Input
from princeps.model import Label as Label
from princeps.model import LabelVariable as LabelVariable
from princeps.model import Largest as Largest
from princeps.model import Level as Level
from princeps.model import Look as Look
from princeps.model import Loss as Loss
from princeps.model import Mark as Mark
from princeps.model import Marked as Marked
from princeps.model import Mean as Mean
from princeps.model import Message as Message
from princeps.model import Natural as Natural
from princeps.model import Never as Never
from princeps.model import NobodyLeads as NobodyLeads
from princeps.model import Number as Number
from princeps.model import OfInputs as OfInputs
from princeps.model import OneOf as OneOf
from princeps.model import Oracle as Oracle
from princeps.model import Param as Param
from princeps.model import Params as Params
from princeps.model import PopulationProtocol as PopulationProtocol
from princeps.model import Process as Process
from princeps.model import Range as Range
from princeps.model import Reaches as Reaches
from princeps.model import Ring as Ring
from princeps.model import RingAlgorithm as RingAlgorithm
from princeps.model import Scratch as Scratch
from princeps.model import SoftMin as SoftMin
from princeps.model import Spent as Spent
from princeps.model import Stays as Stays
from princeps.model import StaysElected as StaysElected
from princeps.model import Symmetric as Symmetric
from princeps.model import Top as Top
from princeps.model import Total as Total
from princeps.model import Tuning as Tuning
from princeps.model import Uniform as Uniform
from princeps.model import Verdict as Verdict
from princeps.model import WithGhosts as WithGhosts
from princeps.model import Within as Within
from princeps.model import Word as Word
from princeps.model import WordVariable as WordVariable
from princeps.model import ceil_lg as ceil_lg
from princeps.model import coin as coin
from princeps.model import default_m as default_m
from princeps.model import draw as draw
from princeps.model import on as on
from princeps.model import outside_class as outside_class
from princeps.model import repeated_label as repeated_label
from princeps.model import start as start
from princeps.model.files import FilePath
from princeps.model.numbers import Count, Integer
from princeps.model.parameters import Parametrised
from princeps.model.result import Result as Result
from princeps.model.result import Trials
from princeps.model.rings.facts import RingFacts
from princeps.model.rings.result import RingResult as RingResult
from princeps.network.cluster.member import Member
from princeps.network.report import NetResult
from princeps.network.rings.report import RingNetResult
from princeps.network.trials import NetTrials
from princeps.papers.claims import Paper
from princeps.papers.collecting import EvidenceObserver
from princeps.papers.examining import Finding
from princeps.papers.tables.measuring import MeasuredRow
from princeps.rare.report import HoldResult
from princeps.tuning.clock_report import ClockResult
from princeps.tuning.report import TuneResult
from princeps.web.saved_page import SavedPage

__version__: str
_WHERE: dict[str, str]
_ANSWERS: tuple[str, ...]
__all__ = [
    "LEFT",
    "RIGHT",
    "Agent",
    "Bit",
    "Blocks",
    "Closed",
    "Config",
    "Counted",
    "Counts",
    "Derived",
    "EveryAgent",
    "EveryMeeting",
    "Field",
    "Flag",
    "GroupSpec",
    "Guarded",
    "Input",
    "Interrupted",
    "Label",
    "LabelVariable",
    "Largest",
    "Level",
    "Look",
    "Loss",
    "Mark",
    "Marked",
    "Mean",
    "Message",
    "Natural",
    "Never",
    "NobodyLeads",
    "Number",
    "OfInputs",
    "OneOf",
    "Oracle",
    "Param",
    "Params",
    "PopulationProtocol",
    "PrincepsError",
    "Process",
    "Range",
    "Reaches",
    "Result",
    "Ring",
    "RingAlgorithm",
    "RingResult",
    "Scratch",
    "SoftMin",
    "Spent",
    "Stays",
    "StaysElected",
    "Symmetric",
    "Top",
    "Total",
    "Tuning",
    "Uniform",
    "Verdict",
    "WithGhosts",
    "Within",
    "Word",
    "WordVariable",
    "ceil_lg",
    "check",
    "coin",
    "default_m",
    "draw",
    "estimate",
    "exact",
    "fit",
    "hold",
    "impossible",
    "library",
    "member",
    "merge",
    "net",
    "new",
    "on",
    "outside_class",
    "paper",
    "plot",
    "protocol",
    "prove",
    "repeated_label",
    "replay",
    "results",
    "ring",
    "rings",
    "run",
    "session",
    "slider",
    "start",
    "sweep",
    "table",
    "trials",
    "tune",
    "warm",
    "watch",
    "worst",
]

PopulationName = Literal[
    "aafj",
    "epidemic",
    "fischer_jiang",
    "fischer_jiang_complete",
    "fratricide",
    "infection",
    "known_bound",
    "leader_minion",
    "loose_ids",
    "lottery",
    "majority",
    "michail",
    "michail_roles",
    "numbered",
    "optimal_silent",
    "p_ll",
    "p_ll_symmetric",
    "p_pl",
    "p_rl",
    "p_rl_oracle",
    "silent_ranking",
    "timer",
    "tokens",
]
RingName = Literal[
    "a_k", "b_k", "chang_roberts", "franklin", "hirschberg_sinclair", "itai_rodeh", "lelann", "peterson", "u_k"
]

def check(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    *,
    observer: FindingObserver | None = None,
    progress: bool = True,
) -> Checked: ...
def estimate(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    trials: Count = 1,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Estimate: ...
@overload
def exact(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: str,
    scheduler: str | None = None,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> ExactProbability: ...
@overload
def exact(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: None = None,
    scheduler: Literal["weakly-fair"],
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> FairAdversary: ...
@overload
def exact(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: None = None,
    scheduler: str,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Exact | FairAdversary: ...
@overload
def exact(
    name: PopulationName | type[PopulationProtocol],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: None = None,
    scheduler: None = None,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Exact: ...
@overload
def exact(
    name: RingName | type[RingAlgorithm],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: None = None,
    scheduler: None = None,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> ExactRing: ...
@overload
def exact(
    name: str | PathLike[str],
    n: Count | None = None,
    *,
    observer: PhaseObserver | None = None,
    progress: bool = True,
    limit: Count | None = None,
    target: str | None = None,
    probability: None = None,
    scheduler: None = None,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    torn: Count | None = None,
    save_script: FilePath | None = None,
    reduce: bool = True,
    past_target: bool = False,
    automorphisms: str | None = None,
    export: FilePath | None = None,
    check: str | None = None,
    against_simulation: Count = 0,
    jobs: Count = 1,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Exact | ExactRing: ...
def fit(
    store: FilePath | Results,
    *,
    measure: str | None = None,
    protocol: str | type[Parametrised] | None = None,
    by: str = "n",
    from_: SupportsFloat | str = 0,
) -> list[Fit]: ...
def hold(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    precision: float | str = "5%",
    effort: Count = 2000,
    start: Any = None,
    graph: Any = None,
    seed: Integer | None = None,
    jobs: Count | None = None,
    store: str | None = None,
    compare: bool = True,
    progress: bool = True,
    params: Mapping[str, Any] | None = None,
    **more: Any,
) -> HoldResult: ...
def impossible(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count = 3,
    *,
    limit: Count | None = None,
    params: Mapping[str, Any] | None = None,
    **more: SupportsIndex,
) -> Impossibility: ...
def library(kind: str | None = None) -> list[str]: ...
def member(path: FilePath, agent: Integer | None = None) -> Member: ...
def merge(*stores: FilePath, output: FilePath, sound: bool = False) -> Merged: ...
@overload
def net(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    watch: bool = False,
    save: FilePath | None = None,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    trials: Count,
    store: FilePath | None = None,
    save_script: FilePath | None = None,
    mode: str = "free",
    transport: str | None = None,
    duration: str | float | None = None,
    rate: str | float = 50.0,
    lease: str | float | None = None,
    per_process: Count = 1,
    chaos: str | None = None,
    restart: str | None = None,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    max_steps: Count | None = None,
    scheduler: Any = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> NetTrials[NetResult] | NetTrials[RingNetResult]: ...
@overload
def net(
    name: PopulationName | type[PopulationProtocol],
    n: Count | None = None,
    *,
    watch: bool = False,
    save: FilePath | None = None,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    trials: None = None,
    store: FilePath | None = None,
    save_script: FilePath | None = None,
    mode: str = "free",
    transport: str | None = None,
    duration: str | float | None = None,
    rate: str | float = 50.0,
    lease: str | float | None = None,
    per_process: Count = 1,
    chaos: str | None = None,
    restart: str | None = None,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    max_steps: Count | None = None,
    scheduler: Any = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> NetResult: ...
@overload
def net(
    name: RingName | type[RingAlgorithm],
    n: Count | None = None,
    *,
    watch: bool = False,
    save: FilePath | None = None,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    trials: None = None,
    store: FilePath | None = None,
    save_script: FilePath | None = None,
    mode: str = "free",
    transport: str | None = None,
    duration: str | float | None = None,
    rate: str | float = 50.0,
    lease: str | float | None = None,
    per_process: Count = 1,
    chaos: str | None = None,
    restart: str | None = None,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    max_steps: Count | None = None,
    scheduler: Any = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> RingNetResult: ...
@overload
def net(
    name: str | PathLike[str],
    n: Count | None = None,
    *,
    watch: bool = False,
    save: FilePath | None = None,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    trials: None = None,
    store: FilePath | None = None,
    save_script: FilePath | None = None,
    mode: str = "free",
    transport: str | None = None,
    duration: str | float | None = None,
    rate: str | float = 50.0,
    lease: str | float | None = None,
    per_process: Count = 1,
    chaos: str | None = None,
    restart: str | None = None,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    max_steps: Count | None = None,
    scheduler: Any = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> NetResult | RingNetResult: ...
def new(path: FilePath, *, ring: bool = False, force: bool = False) -> NewFile: ...
def paper(
    *what: FilePath | Paper,
    full: bool = False,
    store: FilePath = "papers.db",
    seed: Integer = 0,
    jobs: Count | None = None,
    planted: bool = False,
    html: FilePath | None = None,
    force: bool = False,
    watch: EvidenceObserver | None = None,
    progress: bool = True,
) -> list[Finding]: ...
def plot(
    source: FilePath | Results | Result | Sequence[Result],
    output: FilePath | None = None,
    *,
    kind: str | None = None,
    measure: str | None = None,
    protocol: str | type[Parametrised] | None = None,
    by: str = "n",
    from_: SupportsFloat | str = 0,
    width: SupportsFloat | str | None = None,
    force: bool = False,
) -> PaperFigure: ...
def protocol(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    **params: SupportsIndex,
) -> PopulationProtocol: ...
def prove(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    *lemmas: str,
    search: bool = False,
    progress: bool = True,
) -> list[Proof]: ...
def replay(
    path: FilePath,
    *,
    protocol: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm] | None = None,
    engine: str | None = None,
    strict: bool = True,
    max_steps: Count | None = None,
    announce: Callable[[str], None] | None = None,
) -> Session | RingSession: ...
def results(
    store: FilePath, *, measure: str | None = None, protocol: str | type[Parametrised] | None = None
) -> Results: ...
def ring(
    labels: str | Sequence[Any] | Ring | None = None,
    *,
    random: str | None = None,
    ring: FilePath | None = None,
    seed: Integer = 0,
) -> RingFacts: ...
def rings(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | Iterable[Count],
    alphabet: Count = 3,
    *,
    max_k: Count = 4,
    interleavings: Count = 4,
    seed: Integer = 0,
    limit: Count | None = None,
) -> Iterator[Survey]: ...
@overload
def run(
    name: PopulationName | type[PopulationProtocol],
    n: Count | None = None,
    *,
    trace: FilePath | Callable[[Any], None] | None = None,
    diagram: FilePath | None = None,
    window: str | tuple[int, int] | None = None,
    observer: RunObserver | None = None,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Result: ...
@overload
def run(
    name: RingName | type[RingAlgorithm],
    n: Count | None = None,
    *,
    trace: FilePath | Callable[[Any], None] | None = None,
    diagram: FilePath | None = None,
    window: str | tuple[int, int] | None = None,
    observer: RunObserver | None = None,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> RingResult: ...
@overload
def run(
    name: str | PathLike[str],
    n: Count | None = None,
    *,
    trace: FilePath | Callable[[Any], None] | None = None,
    diagram: FilePath | None = None,
    window: str | tuple[int, int] | None = None,
    observer: RunObserver | None = None,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Result | RingResult: ...
@overload
def session(
    name: PopulationName | type[PopulationProtocol],
    n: Count | None = None,
    *,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Session: ...
@overload
def session(
    name: RingName | type[RingAlgorithm],
    n: Count | None = None,
    *,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> RingSession: ...
@overload
def session(
    name: str | PathLike[str],
    n: Count | None = None,
    *,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Session | RingSession: ...
def slider(result: Result) -> VBox: ...
def sweep(
    name: str
    | PathLike[str]
    | type[PopulationProtocol]
    | type[RingAlgorithm]
    | Iterable[str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm]],
    n: Count | Iterable[Count] | None = None,
    *,
    watch: SweepObserver | None = None,
    progress: bool = True,
    trials: Count | None = None,
    store: FilePath | None = None,
    precision: float | str | None = None,
    seed: Integer | None = None,
    jobs: Count | None = None,
    cluster: str | None = None,
    rare: bool = False,
    start: Any = None,
    until: Iterable[str] | str | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Any,
) -> Results: ...
def table(
    *what: str,
    full: bool = False,
    store: FilePath = "tables.db",
    seed: Integer = 0,
    jobs: Count | None = None,
    html: FilePath | None = None,
    force: bool = False,
    watch: EvidenceObserver | None = None,
    progress: bool = True,
) -> list[MeasuredRow]: ...
@overload
def trials(
    name: PopulationName | type[PopulationProtocol],
    n: Count | None = None,
    *,
    trials: Count,
    jobs: Count = 1,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Trials[Result]: ...
@overload
def trials(
    name: RingName | type[RingAlgorithm],
    n: Count | None = None,
    *,
    trials: Count,
    jobs: Count = 1,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Trials[RingResult]: ...
@overload
def trials(
    name: str | PathLike[str],
    n: Count | None = None,
    *,
    trials: Count,
    jobs: Count = 1,
    progress: bool = True,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    fault: str | Sequence[str] = ...,
    hold: bool = False,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    record: str | Sequence[str] | Mapping[str, str] = ...,
    every: float | str = 0.1,
    snapshots: Any = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> Trials[Result] | Trials[RingResult]: ...
def tune(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    hold: float | str | None = None,
    failure: float | str | None = None,
    effort: Count = 5000,
    start: Any = None,
    seed: Integer | None = None,
    jobs: Count | None = None,
    store: str | None = None,
    output: FilePath | None = None,
    progress: bool = True,
    params: Mapping[str, Any] | None = None,
    **more: Any,
) -> TuneResult | ClockResult: ...
def warm(
    what: FilePath | Iterable[FilePath] = ..., *, observer: Callable[[Warmed], None] | None = None
) -> list[Warmed]: ...
def watch(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm] | Exact | ExactRing | None = None,
    n: Count | None = None,
    *,
    script: str | None = None,
    save: FilePath | None = None,
    browser: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    start: Any = None,
    until: str | None = None,
    seed: Integer | None = None,
    trial: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    check: bool = False,
    scheduler: Any = None,
    schedule: str | None = None,
    pairs: FilePath | Iterable[Sequence[int]] | None = None,
    graph: Any = None,
    ids: str | Iterable[SupportsIndex] | None = None,
    force: bool = False,
    labels: Any = None,
    random: str | None = None,
    ring: FilePath | None = None,
    **params: Integer | Mapping[str, Integer],
) -> SavedPage | None: ...
def worst(
    name: str | PathLike[str] | type[PopulationProtocol] | type[RingAlgorithm],
    n: Count | None = None,
    *,
    trials: Count = 100,
    limit: Count | None = None,
    progress: bool = True,
    until: str | None = None,
    seed: Integer | None = None,
    engine: str = "auto",
    max_steps: Count | None = None,
    scheduler: Any = None,
    graph: Any = None,
    force: bool = False,
    **params: Integer | Mapping[str, Integer],
) -> WorstStarts: ...
