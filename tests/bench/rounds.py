# SPDX-License-Identifier: BSD-3-Clause
"""Rounds of measurements, and their figures."""
import statistics

import bounded


def figures(values):
    return {"median": statistics.median(values), "least": min(values), "most": max(values),
            "rounds": values}


def in_rounds(rounds, takes):
    """Lets every one of `takes` (name -> function giving {key: value}) have its turn in each round.

    Gives {name: {key: figures}} of all rounds but the first, and the failures.
    """
    seen, troubles = {}, {}
    for number in range(rounds + 1):
        for name, take in takes.items():
            if name in troubles:
                continue
            try:
                for key, value in take().items():
                    if number:
                        seen.setdefault(name, {}).setdefault(key, []).append(value)
            except bounded.Failed as trouble:
                troubles[name] = str(trouble)
                seen.pop(name, None)
    return {name: {key: figures(values) for key, values in keys.items()}
            for name, keys in seen.items()}, troubles


def absent(why):
    """One of in_rounds()'s that cannot be measured here."""
    def take():
        raise bounded.Failed(why)
    return take


def second_words(output, word):
    """Of lines `word KEY VALUE` or `word VALUE`: {KEY: VALUE}, the key empty in the short form."""
    lines = [line.split() for line in output.splitlines() if line.startswith(word + " ")]
    found = {line[1] if len(line) == 3 else "": float(line[-1]) for line in lines}
    if not found:
        raise bounded.Failed(f"no line '{word} ...' in the output")
    return found
