"""Words over labels: what is computed in linear time is what the definitions say, on every short word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest

from princeps.model.rings.reading_rings import read_ring
from princeps.model.rings.words import (
    Word,
    least_rotation,
    lyndon_words,
    rotational_period,
    smallest_period,
)
from tests.tables import in_one_test

Letters = tuple[int, ...]
WORDS = [word for length in range(1, 8) for word in product((1, 2, 3), repeat=length)]


# -- the definitions, taken at their word --------------------------------------------------------------------------


def rotations(word: Letters) -> list[Letters]:
    return [word[i:] + word[:i] for i in range(len(word))]


def srp(word: Letters) -> Letters:
    """The shortest prefix whose repetition, perhaps cut off, is the word."""
    for length in range(1, len(word) + 1):
        repeated = word[:length] * len(word)
        if repeated[: len(word)] == word:
            return word[:length]
    return word


def lyndon_rotation(word: Letters) -> Letters:
    return min(rotations(word))


def lyndon(word: Letters) -> bool:
    return all(word < other for other in rotations(word)[1:])


def mobius(number: int) -> int:
    sign, rest = 1, number
    for prime in range(2, number + 1):
        if rest % prime == 0:
            sign, rest = -sign, rest // prime
            if rest % prime == 0:
                return 0
    return sign


def necklaces_without_symmetry(length: int, letters: int) -> int:
    """Moreau: a mean of mobius(d) letters^(length/d) over the divisors d."""
    divisors = [d for d in range(1, length + 1) if length % d == 0]
    total: int = sum(mobius(d) * letters ** (length // d) for d in divisors)
    return total // length


# -- every word over three letters, up to seven of them ------------------------------------------------------------


def test_the_smallest_period_is_the_length_of_the_shortest_prefix_that_repeats() -> None:
    for word in WORDS:
        assert smallest_period(word) == len(srp(word)), word


def test_the_rotational_period_is_the_first_rotation_that_changes_nothing() -> None:
    for word in WORDS:
        turned = [*rotations(word), word]
        assert rotational_period(word) == next(i for i in range(1, len(word) + 1) if turned[i] == word), word


def test_the_least_rotation_is_the_first_of_the_smallest() -> None:
    for word in WORDS:
        all_of_them = rotations(word)
        assert least_rotation(word) == all_of_them.index(min(all_of_them)), word


def test_a_word_answers_what_A_k_asks() -> None:
    for word in WORDS:
        asked, root = Word(word), srp(word)
        assert asked.mlty() == max(word.count(letter) for letter in word), word
        assert asked.srp_is_lyndon() == (root == lyndon_rotation(root) and lyndon(root)), word
        assert asked.first_of_LW_srp() == lyndon_rotation(root)[0], word


def test_srp_equals_its_least_rotation_exactly_if_it_is_lyndon() -> None:
    """A shortest repeating prefix is never itself a repetition, so the paper's test needs no strictness."""
    for word in WORDS:
        root = srp(word)
        assert (root == lyndon_rotation(root)) == lyndon(root), word


# -- the empty word ------------------------------------------------------------------------------------------------


def test_nothing_has_no_period_and_is_no_lyndon_word() -> None:
    nothing: Letters = ()
    assert (smallest_period(nothing), rotational_period(nothing), least_rotation(nothing)) == (0, 0, 0)
    assert (Word().mlty(), len(Word()), str(Word())) == (0, 0, "")
    assert not Word().srp_is_lyndon()


# -- words that grow -----------------------------------------------------------------------------------------------


def test_a_word_grows_letter_by_letter_and_leaves_the_shorter_one_alone() -> None:
    short = Word((1, 2))
    long = short + 2
    assert (short.letters, long.letters) == ((1, 2), (1, 2, 2))
    assert (len(short), len(long)) == (2, 3)


def test_words_are_equal_by_their_letters() -> None:
    assert Word() + 1 + 2 == Word((1, 2))
    assert hash(Word() + 1 + 2) == hash(Word((1, 2)))
    assert Word((1, 2)) != Word((2, 1))
    assert Word((1, 2)) != (1, 2)


def test_letters_of_several_characters_are_told_apart() -> None:
    assert str(Word((1, 2, 2))) == "122"
    assert str(Word((1, 22))) == "1.22"


@pytest.mark.parametrize("text", ["1,2,2", "A,B,A,A,B", "x,y"])
def test_letters_need_only_be_compared(text: str) -> None:
    """Labels refuse everything but comparison; the functions must do with that."""
    ring = read_ring(text)
    labels, ranks = ring.boxed, ring.ranks
    for function in (smallest_period, rotational_period, least_rotation):
        assert function(labels) == function(ranks)
    assert Word(labels).first_of_LW_srp().rank == Word(ranks).first_of_LW_srp()
    assert Word(labels).mlty() == Word(ranks).mlty()


class Counted:
    """A letter that counts how often letters are compared."""

    comparisons = 0

    def __init__(self, letter: int) -> None:
        self.letter = letter

    def __eq__(self, other: object) -> bool:
        Counted.comparisons += 1
        return isinstance(other, Counted) and self.letter == other.letter

    def __gt__(self, other: Counted) -> bool:
        Counted.comparisons += 1
        return self.letter > other.letter

    __hash__ = None  # type: ignore[assignment]


LONG = {
    "one letter": [1] * 2000,
    "a small end": [1] * 1999 + [0],
    "a large end": [1] * 1999 + [2],
    "a pair": [1, 2] * 1000,
    "nearly periodic": [1, 1, 2] * 666 + [1, 2],
    "falling": list(range(2000, 0, -1)),
}


@in_one_test("letters", LONG.values(), ids=LONG.keys())
@pytest.mark.parametrize("function", [smallest_period, rotational_period, least_rotation])
def test_the_comparisons_are_linearly_many(function: Callable[[Sequence[object]], int], letters: list[int]) -> None:
    Counted.comparisons = 0
    found = function([Counted(letter) for letter in letters])
    assert Counted.comparisons <= 10 * len(letters)
    assert found == function(letters)


# -- all Lyndon words ----------------------------------------------------------------------------------------------


SIZES = [(length, letters) for letters in (1, 2, 3) for length in range(1, 8)]


@in_one_test(("length", "letters"), SIZES)
def test_lyndon_words_come_in_order_and_none_is_missing(length: int, letters: int) -> None:
    found = list(lyndon_words(length, letters))
    everything = product(range(1, letters + 1), repeat=length)
    assert found == [word for word in everything if lyndon(word)]
    assert all(one < other for one, other in pairwise(found))
    assert len(found) == necklaces_without_symmetry(length, letters)


def test_there_is_a_lyndon_word_for_every_asymmetric_ring() -> None:
    for length in range(1, 7):
        asymmetric = {
            lyndon_rotation(word) for word in product((1, 2, 3), repeat=length) if len(set(rotations(word))) == length
        }
        assert asymmetric == set(lyndon_words(length, 3))


@in_one_test(("length", "letters", "count"), [(12, 2, 335), (9, 3, 2184), (7, 4, 2340), (2, 100, 4950)])
def test_longer_words_are_counted_rightly(length: int, letters: int, count: int) -> None:
    assert sum(1 for _ in lyndon_words(length, letters)) == necklaces_without_symmetry(length, letters) == count
