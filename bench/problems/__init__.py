"""Problems, one file each. The bytes of a problem are equal on every machine."""

from problems import a9a, adult, adult_once, covtype, csv_numeric, libsvm_zipf

CSV_NUMERIC = csv_numeric.PROBLEM
LIBSVM_ZIPF = libsvm_zipf.PROBLEM
COVTYPE = covtype.PROBLEM
A9A = a9a.PROBLEM
ADULT = adult.PROBLEM
ADULT_ONCE = adult_once.PROBLEM
