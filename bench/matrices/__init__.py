"""Matrices with labels to fit, one file each."""

from matrices import a9a, covtype2, covtype7, imdb, letter, mnist, mnist10, mnist_even, news20

IMDB = imdb.MATRIX
A9A = a9a.MATRIX
COVTYPE2 = covtype2.MATRIX
MNIST_EVEN = mnist_even.MATRIX
COVTYPE7 = covtype7.MATRIX
LETTER = letter.MATRIX
MNIST = mnist.MATRIX
MNIST10 = mnist10.MATRIX
NEWS20 = news20.MATRIX
