# Writes r.stat: cases with data made here from a seed and values from R's own
# functions, where R has one, else from the textbook formula.
#   Rscript oracle.R > r.stat
set.seed(20190128)
tool <- paste(R.version$language, paste(R.version$major, R.version$minor, sep = "."))
num <- function(x) paste(vapply(x, function(v) sprintf("%.15g", v), ""), collapse = " ")
begin <- function(name, what, tol = "1e-9") cat("case ", name, "\ntool ", tool, " ", what, "\ntol ", tol, "\n", sep = "")
dat <- function(name, x) cat("data ", name, " ", num(x), "\n", sep = "")
rows <- function(name, m) cat("data ", name, " ", paste(apply(m, 1, num), collapse = " / "), "\n", sep = "")
ev <- function(...) cat("eval ", paste(...), "\n", sep = "")
ex <- function(key, x) cat("expect ", key, " ", num(x), "\n", sep = "")
end <- function() cat("\n")
cat("# Written by oracle.R with ", tool, ". The form is described in reference.stat.\n\n", sep = "")

runs <- function(n, mean, cv, digits) round(rnorm(n, mean, mean * cv), digits)
sizes <- list(c(2, 2), c(2, 7), c(3, 3), c(3, 12), c(5, 4), c(10, 10), c(40, 3))
for (i in seq_along(sizes)) {
  na <- sizes[[i]][1]; nb <- sizes[[i]][2]
  a <- runs(na, 1500, .02, 2); b <- runs(nb, 1540, .05, 2)
  w <- t.test(a, b)
  begin(paste0("welch_", na, "v", nb), "t.test")
  dat("a", a); dat("b", b); ev("welch_runs")
  ex("t", w$statistic); ex("df", w$parameter); ex("p", w$p.value)
  ex("lo", w$conf.int[1]); ex("hi", w$conf.int[2]); end()

  va <- var(a) / na / mean(a)^2; vb <- var(b) / nb / mean(b)^2
  se <- sqrt(va + vb); df <- se^4 / (va^2 / (na - 1) + vb^2 / (nb - 1)); l <- log(mean(a) / mean(b))
  begin(paste0("ratio_", na, "v", nb), "pt, qt")
  dat("a", c(mean(a), sd(a) / sqrt(na), na)); dat("b", c(mean(b), sd(b) / sqrt(nb), nb)); ev("ratio")
  ex("se_log", se); ex("df", df); ex("p", 2 * pt(-abs(l / se), df))
  ex("lo", exp(l - qt(.975, df) * se)); ex("hi", exp(l + qt(.975, df) * se))
  tq <- qt(.975, df); g <- tq^2 * vb; r <- exp(l)
  h <- r * sqrt(tq^2 * va * (1 - g) + tq^2 * vb)
  ev("fieller"); ex("g", g)
  if (g < 1) { ex("lo", (r - h) / (1 - g)); ex("hi", (r + h) / (1 - g)); ex("bounded", 1) } else ex("bounded", 0)
  end()

  w <- wilcox.test(a, b, exact = TRUE, conf.int = TRUE)
  begin(paste0("mwu_", na, "v", nb), "wilcox.test exact")
  dat("a", a); dat("b", b); ev("mwu")
  ex("u", w$statistic); ex("p", w$p.value)
  ex("p_less", wilcox.test(a, b, exact = TRUE, alternative = "less")$p.value)
  ex("p_greater", wilcox.test(a, b, exact = TRUE, alternative = "greater")$p.value)
  ex("exact", 1)
  qu <- max(1, qwilcox(.025, na, nb))
  ev("hodges_lehmann")
  ex("hl", median(outer(a, b, "-"))); ex("lo", w$conf.int[1]); ex("hi", w$conf.int[2])
  ex("level", 1 - 2 * pwilcox(qu - 1, na, nb)); end()
}

a <- round(rnorm(80, 100, 3)); b <- round(rnorm(90, 101, 3))
begin("mwu_normal_with_ties", "wilcox.test with continuity correction")
w <- wilcox.test(a, b, exact = FALSE, correct = TRUE)
dat("a", a); dat("b", b); ev("mwu"); ex("u", w$statistic); ex("p", w$p.value); ex("exact", 0); end()

for (n in c(3, 5, 6, 9, 15, 50)) {
  x <- round(rnorm(n, .3, 1), 6)
  w <- wilcox.test(x, exact = TRUE)
  begin(paste0("signed_rank_", n), "wilcox.test exact")
  dat("x", x); ev("signed_rank"); ex("v", w$statistic); ex("p", w$p.value); ex("min_p", 2 * 0.5^n); end()
}
x <- round(rnorm(600, .02, 1), 2); x <- x[x != 0]
w <- wilcox.test(x, exact = FALSE, correct = TRUE)
begin("signed_rank_normal_with_ties", "wilcox.test with continuity correction")
dat("x", x); ev("signed_rank"); ex("v", w$statistic); ex("p", w$p.value); end()

for (kn in list(c(0, 1), c(1, 1), c(0, 12), c(12, 12), c(5, 10), c(3, 11), c(480, 1000))) {
  w <- binom.test(kn[1], kn[2])
  begin(paste0("sign_test_", kn[1], "_of_", kn[2]), "binom.test", "1e-8")
  ev("sign_test", kn[1], kn[2]); ex("p", w$p.value); ex("lo", w$conf.int[1]); ex("hi", w$conf.int[2]); end()
}

for (m in c(1, 2, 30)) {
  p <- round(runif(m)^3, 5)
  begin(paste0("p_adjust_", m), "p.adjust")
  dat("p", p); ev("adjust")
  ex("holm", p.adjust(p, "holm")); ex("bh", p.adjust(p, "BH")); ex("by", p.adjust(p, "BY")); end()
}

for (n in c(2, 3, 25)) {
  x <- round(exp(rnorm(n, .05, .2)), 4)
  w <- t.test(log(x))
  begin(paste0("geomean_", n), "t.test of logs")
  dat("ratios", x); ev("geomean_sample")
  ex("gm", exp(w$estimate)); ex("lo", exp(w$conf.int[1])); ex("hi", exp(w$conf.int[2])); ex("p", w$p.value); end()
}

for (kb in list(c(3, 5), c(4, 12), c(8, 30), c(12, 6))) {
  k <- kb[1]; b <- kb[2]
  m <- matrix(round(rnorm(k * b, 50, 3) + rep(seq(0, 2, length.out = k), each = b)), b, k)
  w <- friedman.test(m)
  chi <- unname(w$statistic); f <- (b - 1) * chi / (b * (k - 1) - chi)
  begin(paste0("friedman_", k, "_over_", b), "friedman.test, pf")
  rows("rows", m); ev("friedman")
  ex("chi2", chi); ex("p", w$p.value); ex("w", chi / (b * (k - 1)))
  ex("f", f); ex("pf", pf(f, k - 1, (k - 1) * (b - 1), lower.tail = FALSE)); end()
}

for (ns in list(c(3, 3), c(2, 5, 9), c(3, 3, 3, 4, 15))) {
  g <- lapply(ns, function(n) runs(n, 300, .02, 1))
  w <- oneway.test(unlist(g) ~ factor(rep(seq_along(ns), ns)))
  begin(paste0("anova_", paste(ns, collapse = "_")), "oneway.test")
  cat("data groups ", paste(vapply(g, num, ""), collapse = " / "), "\n", sep = "")
  ev("anova"); ex("f", w$statistic); ex("df1", w$parameter[1]); ex("df2", w$parameter[2]); ex("p", w$p.value); end()
}

for (n in c(5, 7, 9)) {
  x <- round(rnorm(n), 4); y <- round(x + rnorm(n), 4)
  begin(paste0("correlation_exact_", n), "cor.test exact")
  dat("x", x); dat("y", y); ev("correlation")
  ex("rho", cor(x, y, method = "spearman")); ex("rho_p", cor.test(x, y, method = "spearman", exact = TRUE)$p.value)
  ex("tau", cor(x, y, method = "kendall")); ex("tau_p", cor.test(x, y, method = "kendall", exact = TRUE)$p.value); end()
}
x <- round(rnorm(40), 4); y <- round(x + 2 * rnorm(40), 4)
begin("kendall_exact_40", "cor.test exact")
dat("x", x); dat("y", y); ev("correlation")
ex("rho", cor(x, y, method = "spearman"))
ex("tau", cor(x, y, method = "kendall")); ex("tau_p", cor.test(x, y, method = "kendall", exact = TRUE)$p.value); end()
x <- round(rnorm(60), 1); y <- round(x + 2 * rnorm(60), 1)
begin("correlation_ties_60", "cor.test")
dat("x", x); dat("y", y); ev("correlation")
ex("rho", cor(x, y, method = "spearman")); ex("rho_p", suppressWarnings(cor.test(x, y, method = "spearman", exact = FALSE))$p.value)
ex("tau", cor(x, y, method = "kendall")); ex("tau_p", suppressWarnings(cor.test(x, y, method = "kendall", exact = FALSE))$p.value); end()

for (n in c(1, 2, 3, 6, 11)) {
  x <- runs(n, 900, .05, 1)
  begin(paste0("quantile_", n), "quantile type 7")
  dat("x", x)
  for (p in c(0, .025, .1, .5, .73, .9, 1)) { ev("quantile", p); ex("q", quantile(x, p, type = 7)) }
  end()
}

for (v in list(c(3, .02, 1.05), c(5, .03, 1.05), c(10, .08, .9), c(100, .1, 1.02), c(2, .02, 1.2))) {
  w <- power.t.test(n = v[1], delta = abs(log(v[3])), sd = v[2], sig.level = .05, strict = TRUE)
  begin(paste0("power_", v[1]), "power.t.test strict", "1e-7")
  ev("power", v[1], v[2], v[2], v[3], .05); ex("power", w$power); end()
}

for (df in c(1, 1.5, 3.3, 12, 99.5)) {
  begin(paste0("t_", df), "pt, qt", "1e-11")
  for (t in c(.02, .9, 1.1, 3, 11, 250)) { ev("t_tail", t, df); ex("p", pt(-t, df)) }
  for (l in c(.1, .5, .9, .99, .99999)) { ev("t_level_quantile", l, df); ex("q", qt((1 - l) / 2, df, lower.tail = FALSE)) }
  end()
}
