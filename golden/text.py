"""scikit-learn's text features on small documents, with its default tokens replaced by `\\w+`.

The documents have repeated and empty texts, accents, digits, underscores and punctuation, but no
combining marks, at which `\\w+` splits words.
"""

import certificate
from sklearn.feature_extraction.text import TfidfVectorizer

DOCUMENTS = [
    "The cat sat on the mat.",
    "the CAT sat; the cat slept",
    "A dog and a cat: a dog's life!",
    "",
    "École n° 42, école_42 -- naïve, naïve",
    "the mat, the mat, the mat",
    "Straße und STRASSE",
    "   \t cat\n\nsat on   a mat ",
    "the cat sat on the mat.",
]

CASES = {
    "words 1-2, logarithm, idf, normalized": (
        {"from": 1, "to": 2, "min_df": 2.0},
        {"ngram_range": (1, 2), "min_df": 2, "sublinear_tf": True},
    ),
    "words 1-3, counts": (
        {"to": 3, "min_df": 1.0, "frequency": "count", "idf": False, "normalize": False},
        {"ngram_range": (1, 3), "use_idf": False, "norm": None},
    ),
    "words 2-2, binary, idf": (
        {"from": 2, "to": 2, "min_df": 1.0, "frequency": "binary", "normalize": False},
        {"ngram_range": (2, 2), "binary": True, "norm": None},
    ),
    "words 1-2, common ones left out": (
        {"min_df": 2.0, "max_df": 0.4, "frequency": "count"},
        {"ngram_range": (1, 2), "min_df": 2, "max_df": 0.4},
    ),
    "words 1-2 without stop words": (
        {"min_df": 1.0, "frequency": "count", "stop_words": ["the", "a"]},
        {"ngram_range": (1, 2), "stop_words": ["the", "a"]},
    ),
    "characters 1-3": (
        {"unit": "characters", "to": 3, "min_df": 2.0, "frequency": "count"},
        {"analyzer": "char", "ngram_range": (1, 3), "min_df": 2},
    ),
    "characters 3-4, logarithm": (
        {"unit": "characters", "from": 3, "to": 4, "min_df": 2.0, "idf": False},
        {"analyzer": "char", "ngram_range": (3, 4), "min_df": 2, "sublinear_tf": True,
         "use_idf": False},
    ),
}


def case(own: dict, theirs: dict) -> dict:
    documents = DOCUMENTS
    if theirs.get("analyzer") == "char":
        # scikit-learn keeps white space at both ends of a text and single tabs.
        documents = [" ".join(d.split()) for d in documents]
    else:
        theirs = {**theirs, "token_pattern": r"(?u)\b\w+\b"}
    vectorizer = TfidfVectorizer(**theirs)
    x = vectorizer.fit_transform(documents).toarray()
    names = vectorizer.get_feature_names_out()
    rows = [{names[j]: row[j] for j in range(len(names)) if row[j] != 0} for row in x]
    return {"settings": own, "terms": sorted(names), "rows": rows}


def main() -> None:
    cases = {name: case(*settings) for name, settings in CASES.items()}
    packages = ["scikit-learn", "scipy", "numpy"]
    certificate.write("text", packages, "made up", {"documents": DOCUMENTS, "cases": cases})


main()
