"""Tests of proofs for every n."""
