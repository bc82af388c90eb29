"""The classes of answers, for annotations and isinstance. Loading this file loads numpy."""

from princeps.analysis.probability_report import ExactProbability
from princeps.analysis.report import Exact
from princeps.analysis.rings.report import ExactRing
from princeps.campaign.results import Results

__all__ = ["Exact", "ExactProbability", "ExactRing", "Results"]
