"""The compiled draws of faults: those of starts."""

from princeps.lowering.chance import random_words as random_words
from princeps.lowering.chance import shuffle as shuffle
