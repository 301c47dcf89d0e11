"""Writes python.stat: values by full enumeration, and by mpmath with 30 digits
where R has no function or too few digits.

    python3 oracle.py > python.stat
"""
import itertools
import math
import random
import sys
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 30
random.seed(20190128)
TOOL = "Python %d.%d" % sys.version_info[:2]
MP = "mpmath " + mp.__version__


def begin(name, what, tol="1e-12"):
    print(f"case {name}\ntool {what}\ntol {tol}")


def numbers(values):
    return " ".join(mp.nstr(v, 17) if isinstance(v, mp.mpf) else repr(float(v)) for v in values)


def data(name, values):
    print("data", name, numbers(values))


def evaluate(*words):
    print("eval", *words)


def expect(key, *values):
    print("expect", key, numbers(values))


def midranks(xs):
    return [Fraction(sum(y < x for y in xs) * 2 + sum(y == x for y in xs) + 1, 2) for x in xs]


def tails(values, observed):
    """Shares of values at most and at least the observed one."""
    n = len(values)
    return (Fraction(sum(v <= observed for v in values), n),
            Fraction(sum(v >= observed for v in values), n))


def two_sided(less, greater):
    return min(Fraction(1), 2 * min(less, greater))


def smallest(values):
    return min(two_sided(*tails(values, v)) for v in set(values))


print(f"# Written by oracle.py with {TOOL} and {MP}. The form is described in\n# reference.stat.\n")

for na, nb, top in ((1, 1, 3), (2, 3, 2), (3, 3, 2), (4, 3, 4), (3, 6, 3), (5, 5, 5), (7, 4, 6), (2, 8, 1)):
    a = [random.randint(0, top) for _ in range(na)]
    b = [random.randint(0, top) + random.choice((0, 1)) for _ in range(nb)]
    ranks = midranks(a + b)
    sums = [sum(c) for c in itertools.combinations(ranks, na)]
    less, greater = tails(sums, sum(ranks[:na]))
    begin(f"mwu_ties_{na}v{nb}", f"{TOOL}, full enumeration")
    data("a", a)
    data("b", b)
    evaluate("mwu")
    expect("u", sum(Fraction(2 * (x > y) + (x == y), 2) for x in a for y in b))
    expect("p", two_sided(less, greater))
    expect("p_less", less)
    expect("p_greater", greater)
    expect("min_p", smallest(sums))
    evaluate("dominance")
    expect("a12", sum(Fraction(2 * (x > y) + (x == y), 2) for x in a for y in b) / (na * nb))
    print()

for n in (1, 3, 6, 8, 10):
    x = [random.choice((-1, 1)) * random.randint(0, 4) for _ in range(n)]
    x[0] = 2
    kept = [v for v in x if v]
    ranks = midranks([abs(v) for v in kept])
    sums = [sum(r for r, s in zip(ranks, signs) if s)
            for signs in itertools.product((0, 1), repeat=len(kept))]
    v = sum(r for r, value in zip(ranks, kept) if value > 0)
    begin(f"signed_rank_ties_{n}", f"{TOOL}, full enumeration")
    data("x", x)
    evaluate("signed_rank")
    expect("v", v)
    expect("p", two_sided(*tails(sums, v)))
    expect("min_p", smallest(sums))
    print()


def concordance(x, y):
    sign = lambda d: (d > 0) - (d < 0)
    return sum(sign(x[i] - x[j]) * sign(y[i] - y[j]) for i in range(len(x)) for j in range(i))


for n, top in ((5, 3), (6, 2), (7, 3), (7, 6)):
    x = [random.randint(0, top) for _ in range(n)]
    y = [random.randint(0, top) for _ in range(n)]
    rx, ry = midranks(x), midranks(y)
    products = [sum(a * b for a, b in zip(rx, p)) for p in itertools.permutations(ry)]
    scores = [concordance(x, p) for p in itertools.permutations(y)]
    untied = lambda v: sum(v[i] != v[j] for i in range(n) for j in range(i))
    cx, cy = [r - Fraction(n + 1, 2) for r in rx], [r - Fraction(n + 1, 2) for r in ry]
    begin(f"correlation_ties_{n}_{top}", f"{TOOL}, full enumeration")
    data("x", x)
    data("y", y)
    evaluate("correlation")
    expect("rho", float(sum(a * b for a, b in zip(cx, cy)))
           / math.sqrt(float(sum(a * a for a in cx)) * float(sum(b * b for b in cy))))
    expect("rho_p", two_sided(*tails(products, sum(a * b for a, b in zip(rx, ry)))))
    expect("tau", concordance(x, y) / math.sqrt(untied(x) * untied(y)))
    expect("tau_p", two_sided(*tails(scores, concordance(x, y))))
    print()

for runs in ([1, 2, 3, 4, 5, 6], [3, 1, 4, 2, 5, 6, 7], [5, 5, 4, 4, 3, 3, 1], [1, 9, 2, 8, 3, 7]):
    index = list(range(len(runs)))
    scores = [concordance(index, p) for p in itertools.permutations(runs)]
    s = concordance(index, runs)
    begin("drift_" + "".join(map(str, runs)), f"{TOOL}, full enumeration")
    data("x", runs)
    evaluate("drift")
    expect("s", s)
    expect("p", two_sided(*tails(scores, s)))
    print()


def upper(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def range_tail(q, k):
    q = mp.mpf(q)
    f = lambda z: mp.npdf(z) * (upper(-z) ** (k - 1) - (upper(-z) - upper(q - z)) ** (k - 1))
    return k * mp.quad(f, [mp.mpf(i) / 2 for i in range(-26, int(2 * q) + 28)])


for k in (2, 3, 10, 30, 200):
    begin(f"range_{k}", MP, "1e-11")
    for q in (0.05, 1.5, 3.4, 6.0, 12.0):
        evaluate("range_tail", q, k)
        expect("p", range_tail(q, k))
    print()


def t_density(x, df):
    return mp.gamma((df + 1) / 2) / mp.gamma(df / 2) / mp.sqrt(df * mp.pi) * (1 + x * x / df) ** (-(df + 1) / 2)


for df in (1999, 2001, 100000):
    begin(f"t_many_{df}", MP, "5e-11")
    d = mp.mpf(df)
    c = mp.exp(mp.loggamma((d + 1) / 2) - mp.loggamma(d / 2)) / mp.sqrt(d * mp.pi)
    for t in (0.001, 0.5, 1.9, 4.2, 7.5):
        evaluate("t_tail", t, df)
        points = [mp.mpf(t) + mp.mpf(i) / 4 for i in range(0, 40)] + [mp.mpf(t) + 20]
        expect("p", mp.quad(lambda x: c * mp.exp(-(d + 1) / 2 * mp.log1p(x * x / d)), points))
    print()


def mean_over_estimates(df, f, top=mp.inf):
    """Expectation of f(s), s the estimate of a standard deviation of 1."""
    df = mp.mpf(df)
    density = lambda s: 2 * (df / 2) ** (df / 2) / mp.gamma(df / 2) * s ** (df - 1) * mp.exp(-df * s * s / 2)
    points = [mp.mpf(i) / 8 for i in range(0, 81)]
    points = [p for p in points if p < top] + ([top] if top < 10 else [])
    return mp.quad(lambda s: density(s) * f(s), points)


def t_quantile(p, df):
    cdf = lambda t: 1 - mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return mp.findroot(lambda t: cdf(t) - p, mp.mpf(2))


for n, cv, ratio, low, high in ((3, .02, 1, .95, 1 / .95), (5, .02, 1.02, .95, 1 / .95), (12, .03, .98, .9, 1.05), (4, .05, 1, .95, 1 / .95)):
    df, se = 2 * (n - 1), mp.mpf(cv) * mp.sqrt(mp.mpf(2) / n)
    t = t_quantile(mp.mpf("0.95"), df)
    up, down = (mp.log(high) - mp.log(ratio)) / se, (mp.log(ratio) - mp.log(low)) / se
    top = (up + down) / (2 * t)
    begin(f"equivalence_power_{n}_{cv}", MP, "1e-8")
    evaluate("equivalence_power", n, cv, cv, ratio, low, high, 0.05)
    expect("power", mean_over_estimates(df, lambda s: upper(t * s - up) - upper(down - t * s), top))
    print()

for n, ca, cb, ratio in ((3, .02, .02, 1.04), (6, .1, .03, 1.1)):
    va, vb = mp.mpf(ca) ** 2, mp.mpf(cb) ** 2
    df, se = (va + vb) ** 2 * (n - 1) / (va ** 2 + vb ** 2), mp.sqrt((va + vb) / n)
    t = t_quantile(mp.mpf("0.975"), df)
    shift = mp.log(ratio) / se
    begin(f"power_{n}_{ca}_{cb}", MP, "1e-8")
    evaluate("power", n, ca, cb, ratio, 0.05)
    expect("power", mean_over_estimates(df, lambda s: upper(t * s - shift) + upper(t * s + shift)))
    print()

for n, noise, shift in ((6, .1, 0), (20, .5, .3), (40, .05, 2)):
    x = [round(random.gauss(0, 1), 4) for _ in range(n)]
    y = [round(v + random.gauss(shift, noise), 4) for v in x]
    mx, my = mp.fsum(map(mp.mpf, x)) / n, mp.fsum(map(mp.mpf, y)) / n
    sxx = mp.fsum((v - mx) ** 2 for v in x) / n
    syy = mp.fsum((v - my) ** 2 for v in y) / n
    sxy = mp.fsum((v - mx) * (w - my) for v, w in zip(x, y)) / n
    p = 2 * sxy / (sxx + syy + (mx - my) ** 2)
    r = sxy / mp.sqrt(sxx * syy)
    u = (mx - my) / (sxx * syy) ** mp.mpf("0.25")
    var = ((1 - r ** 2) * p ** 2 / ((1 - p ** 2) * r ** 2) + 2 * p ** 3 * (1 - p) * u ** 2 / (r * (1 - p ** 2) ** 2)
           - p ** 4 * u ** 4 / (2 * r ** 2 * (1 - p ** 2) ** 2)) / (n - 2)
    z = mp.sqrt(2) * mp.erfinv(mp.mpf("0.95"))
    begin(f"concordance_{n}", MP + ", formula of Lin 2000", "1e-9")
    data("x", x)
    data("y", y)
    evaluate("concordance")
    expect("ccc", p)
    expect("lo", mp.tanh(mp.atanh(p) - z * mp.sqrt(var)))
    expect("hi", mp.tanh(mp.atanh(p) + z * mp.sqrt(var)))
    print()
