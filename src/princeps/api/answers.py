"""The classes of answers, for annotations and isinstance. Loading this file loads numpy."""

from princeps.analysis.fair_report import FairAdversary
from princeps.analysis.probability_report import ExactProbability
from princeps.analysis.report import Exact
from princeps.analysis.rings.report import ExactRing
from princeps.campaign.results import Results
from princeps.campaign.worst_report import WorstStarts

__all__ = ["Exact", "ExactProbability", "ExactRing", "FairAdversary", "Results", "WorstStarts"]
