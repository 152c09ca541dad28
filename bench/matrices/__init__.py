"""Matrices with labels to fit, one file each."""

from matrices import a9a, covtype2, imdb, mnist_even

IMDB = imdb.MATRIX
A9A = a9a.MATRIX
COVTYPE2 = covtype2.MATRIX
MNIST_EVEN = mnist_even.MATRIX
