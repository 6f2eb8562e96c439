# Computes the reference values of R for the cases that reference.py has drawn: run as
#
#   apt-get install r-base-core r-cran-jsonlite r-cran-coin r-cran-exactranktests r-cran-rpact
#   Rscript reference.R                 # reads cases.json, writes r.json and design.json
#
# t.test and lm for everything normal, wilcox.test where there are neither ties nor zeros, coin for Pratt's zeros and
# exactRankTests for Wilcoxon's, power.t.test, acf, p.adjust; rpact for group-sequential levels.
suppressMessages({library(jsonlite); library(coin); library(exactRankTests); library(rpact)})

cases <- fromJSON("cases.json", simplifyDataFrame = FALSE)

differences <- function(c) switch(c$scale,
  log = log(c$a) - log(c$b), percent = 100 * (c$a - c$b) / c$a, difference = c$a - c$b)

margin <- function(c) switch(c$scale,
  log = log1p(c$margin), percent = 100 * c$margin, difference = c$margin * abs(mean(c$a)))

studentPart <- function(c, d) {
  t <- t.test(d, conf.level = 1 - c$alpha)
  m <- margin(c)
  tost <- max(t.test(d, mu = -m, alternative = "greater")$p.value, t.test(d, mu = m, alternative = "less")$p.value)
  list(t = unname(t$statistic), p = t$p.value, ci = as.numeric(t$conf.int), tost = tost)
}

wilcoxonPart <- function(c, d) {
  nonzero <- d[d != 0]
  out <- list()
  if (length(nonzero) == 0) return(out)
  if (length(unique(abs(d))) == length(d) && length(nonzero) == length(d) && length(d) <= 200) {
    w <- wilcox.test(d, exact = TRUE)
    out$p_exact <- w$p.value
    # The order statistic whose confidence is at least 1 - alpha, as psignrank gives it.
    n <- length(d); k <- 1
    while (2 * psignrank(k, n) <= c$alpha) k <- k + 1
    walsh <- sort(outer(d, d, "+")[!lower.tri(diag(n))] / 2)
    out$hl_ci <- c(walsh[k], walsh[length(walsh) + 1 - k])
    out$hl_confidence <- 1 - 2 * psignrank(k - 1, n)
  } else if (length(d) <= 60 && c$zeros == "pratt") {
    out$p_exact <- as.numeric(pvalue(wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Pratt", distribution = "exact")))
  } else if (length(d) <= 60) {
    out$p_exact <- suppressWarnings(wilcox.exact(d, exact = TRUE)$p.value)
  } else if (c$zeros == "wilcox" && length(nonzero) > 200) {
    out$p_normal <- suppressWarnings(wilcox.test(d, exact = FALSE, correct = TRUE)$p.value)
  }
  out
}

orderPart <- function(c, d) {
  if (length(unique(c$order)) < 2 || length(d) < 3) return(NULL)
  x <- ifelse(c$order == "AB", 0.5, -0.5)
  if (length(unique(d[x > 0])) == 1 && length(unique(d[x < 0])) == 1) return(NULL)
  fit <- lm(d ~ x)
  s <- coef(summary(fit))
  list(effect = s[2, 1], p = s[2, 4], adjusted = s[1, 1], adjusted_p = s[1, 4],
       adjusted_ci = as.numeric(confint(fit, level = 1 - c$alpha)[1, ]))
}

stabilityPart <- function(c) {
  a <- c$a / mean(c$a); b <- c$b / mean(c$b)
  ab <- c$order == "AB"
  y <- as.numeric(rbind(ifelse(ab, a, b), ifelse(ab, b, a)))
  n <- length(y)
  list(cv_a = sd(c$a) / mean(c$a), cv_b = sd(c$b) / mean(c$b), drift = unname(coef(lm(y ~ seq_along(y)))[2]) * (n - 1),
       half_shift = mean(y[(n / 2 + 1):n]) - mean(y[1:(n / 2)]), lag1 = acf(y, lag.max = 1, plot = FALSE)$acf[2])
}

# Pairs needed before the 8 % allowance, and the effect that n pairs of the t test find.
powerPart <- function(c, d) {
  s <- sd(d)
  n <- tryCatch(power.t.test(delta = margin(c), sd = s, sig.level = c$alpha, power = 0.8, type = "paired", strict = TRUE, tol = 1e-12)$n,
                error = function(e) NA)
  power <- power.t.test(n = length(d), delta = margin(c), sd = s, sig.level = c$alpha, type = "paired", strict = TRUE)$power
  list(n = n, power = power)
}

results <- lapply(cases, function(c) {
  d <- differences(c)
  out <- list(name = c$name, wilcoxon = wilcoxonPart(c, d), stability = if (length(unique(c(c$a, c$b))) > 2) stabilityPart(c))
  if (length(unique(d)) > 1) {
    out$student <- studentPart(c, d)
    out$order <- orderPart(c, d)
    out$power <- powerPart(c, d)
  }
  out
})

lines <- vapply(results, function(r) as.character(toJSON(r, auto_unbox = TRUE, digits = NA, na = "null", null = "null")), "")
writeLines(c("[", paste0(lines, c(rep(",", length(lines) - 1), "")), "]"), "r.json")

# Group-sequential levels: two-sided alpha, the fractions of the looks that are kept.
design <- function(pairs, looks, alpha) {
  g <- getDesignGroupSequential(kMax = length(looks), alpha = alpha, sided = 2, typeOfDesign = "asOF",
                                informationRates = looks / pairs, tolerance = 1e-10)
  list(pairs = pairs, at = looks, alpha = alpha, level = 2 * pnorm(-g$criticalValues), spent = g$alphaSpent)
}
designs <- list(
  design(60, c(30, 60), 0.05), design(60, c(20, 40, 60), 0.05), design(60, c(24, 36, 48, 60), 0.05),
  design(14, c(10, 14), 0.05), design(48, c(16, 32, 48), 0.05), design(48, c(24, 36, 48), 0.05),
  design(40, c(20, 30, 40), 0.01), design(100, seq(20, 100, 10), 0.05), design(100, c(40, 60, 80, 100), 0.1))
write(toJSON(designs, auto_unbox = TRUE, digits = NA), "design.json")
holm <- c(0.01, 0.04, 0.03, 0.005, 0.5, 0.04)
stopifnot(all.equal(p.adjust(holm, "holm"), c(0.05, 0.12, 0.12, 0.03, 0.5, 0.12)))
cat(length(cases), "cases,", R.version.string, "coin", as.character(packageVersion("coin")), "rpact", as.character(packageVersion("rpact")), "\n")
