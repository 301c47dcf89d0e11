package torture

import "strings"

// Marker is in every text that a browser, a spreadsheet or a terminal could
// obey: where it stands in an output tells whether it is text there.
const Marker = "zqx7"

// Escape is the path that inputs try to write to. Nothing may be there.
const Escape = "/tmp/benchproof-torture-" + Marker

// texts are hostile in the place of a name, an identifier or a title.
var texts = []string{
	"", " ", "\t", "\u00a0", "'", `"`, "`", ",", ";", "|", ":", ": ", " - ", "\\", "%", "%s%n%x", "$(touch " + Escape + ")", "`touch " + Escape + "`", "; touch " + Escape + " #",
	"../../../../../../tmp/benchproof-torture-" + Marker, Escape, `..\..\..\` + Marker, "CON", "NUL", "COM1", "aux.txt", "/dev/null", "/dev/sda", "file:///etc/passwd", "a/b", ".", "..", "-o", "--force", "~", "*", "?",
	"line\nbreak", "line\r\nbreak", "cr\rover", "tab\tbed", "nul\x00nul", "vt\vff\f", "\x7f", "\x1a",
	"\x1b[31mred\x1b[0m", "\x1b[2J\x1b[H", "\x1b]8;;http://" + Marker + ".example/\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;" + Marker + "\a", "\x1bP$q" + Marker + "\x1b\\", "\x1b_" + Marker + "\x1b\\", "\x1b^pm\x1b\\", "\u009b31mC1", "\u009d0;" + Marker + "\u009c", "\x9b31mraw", "\x90raw\x9c", "\x0e\x0f", "\b\b\b\bover",
	"\u202eevil\u202c", "\u2066iso\u2069", "\u200fmark\u200e", "\u061c", "zero\u200bwidth\ufeff", "\u2028line\u2029par", "\u00adsoft", "\U000e0041tag", "\ufffe\uffff", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\ufdd0", "\ufffd", "a\u200db", "👩‍👩‍👧", "ﷺ", "日本語", "İı", "ß", "\u115f\u3164", "\U0010ffff",
	"=1+1+" + Marker, "+1+" + Marker, "-1+" + Marker, "@SUM(" + Marker + ")", "\t=" + Marker, "\r=" + Marker, "=cmd|'/C calc'!" + Marker, `=HYPERLINK("http://` + Marker + `.example","x")`, "=WEBSERVICE(\"http://" + Marker + "\")", "＝1+" + Marker, "＋1", "－1", "＠" + Marker, " =1+" + Marker, "\ufeff=1+" + Marker, "\u200b=1+" + Marker, "\n=1+" + Marker, "'=1+" + Marker, "=", "+", "-", "@", "- " + Marker, "=-1", "-1e3", "+5", "x\n=1+" + Marker, "a,=1+" + Marker, "a;=1+" + Marker, "a\t=1+" + Marker, `"=1+` + Marker,
	"<script>" + Marker + "()</script>", "</script><img src=x onerror=" + Marker + "()>", `"><svg onload=` + Marker + `()>`, "' onmouseover='" + Marker + "()", "javascript:" + Marker + "()", "<a href=\"javascript:" + Marker + "()\">x</a>", "<!--" + Marker, "-->" + Marker, "<![CDATA[" + Marker, "]]>" + Marker, "</title><" + Marker + ">", "<" + Marker + ">", "</style><" + Marker + ">", "</textarea><" + Marker + ">", "</svg><" + Marker + ">", "<?" + Marker + "?>", "&lt;" + Marker + "&gt;", "&" + Marker + ";", "&#x3c;" + Marker + "&#x3e;", "&#0;", "&#xd800;", "url(http://" + Marker + ")", "{{" + Marker + "}}", "${" + Marker + "}", "<base href=//" + Marker + ">", "<iframe src=//" + Marker + ">", "<meta http-equiv=refresh content=0;url=//" + Marker + ">", "</ScRiPt ><" + Marker + ">", "<!DOCTYPE " + Marker + ">", "__proto__", "constructor", "[x](javascript:" + Marker + ")", "![x](http://" + Marker + ")", "| a | b |", "|---|", "# " + Marker, "```", "<b>" + Marker + "</b>",
	"'; DROP TABLE results; --", `" OR 1=1 --`, "_xD800_", "_x000D_", "_x0041_", "&D", "[Red]", "NaN", "null", "true", "undefined", "#REF!", "#NAME?", "1/2", "2026-01-01", "1E5", "00012",
	"SE +/- 0.09, N = 3", "OpenBenchmarking.org", "Phoronix Test Suite 10.8.4", "Processor: X, Memory: Y", ". 12.3 |====", "#2", "A #2", " #2",
}

// longTexts are hostile by their size.
var longTexts = []string{
	strings.Repeat("A", 40000), strings.Repeat("=", 33000), strings.Repeat("\u0301", 3000), strings.Repeat("日", 12000), strings.Repeat("<", 20000), strings.Repeat("&amp;", 5000), strings.Repeat("\\", 10000), strings.Repeat("\u202e", 2000), strings.Repeat("a b ", 9000), strings.Repeat("1", 5000), strings.Repeat("\"", 33000), strings.Repeat("x: y, ", 5000),
}

// numbers are hostile in the place of a figure.
var numbers = []string{
	"1e400", "-1e400", "1e-400", "4.9e-324", "1.7976931348623157e308", "-0", "-0.0", "+0", "0", "0.0", "NaN", "nan", "Inf", "-Inf", "+Infinity", "infinity", "1_000", "0x1p-2", "0x1F", "0b1", "0o7", "1,000", "1.000,5", "1 000", "1'000", "1,2,3", ",,", "1.2.3", "..", ".", ".5", "5.", "-", "--1", "+-1", "1e", "e1", "1e1e1", "1E+05", "١٢٣", "１２", "½", "∞", "1;2", "12abc", "", " ", "null", "true", "PASS", "FAIL", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "4294967296", "2147483648", "-1", "-5", "99999999999999999999999.123456789123456789", "1e309", "1e+0000000000000000000001", "0e99999999999",
}

// longNumbers are figures of hundreds of digits.
var longNumbers = []string{
	strings.Repeat("9", 400), "0." + strings.Repeat("3", 400), strings.Repeat("0", 400) + "1", "1." + strings.Repeat("0", 400), strings.Repeat("9", 400) + "." + strings.Repeat("9", 400), "1e" + strings.Repeat("9", 400), strings.Repeat("1,", 2000) + "1", strings.Repeat("9", 20000),
}

// fileNames are hostile as names of files. None has a slash or a NUL.
var fileNames = []string{
	"plain.xml", "noending", ".hidden", "-o", "--force", "a=b", "=1+" + Marker + ".csv", "@" + Marker, "\x1b[31mred.txt", "\x1b]0;" + Marker + "\a.json", "new\nline.xml", "cr\rover.txt", "\u202etxt.exe", "\x9b31m.csv", "bad\xff\xfeutf8.html", "<script>" + Marker + "()<", "$(touch x)", "a b  c.txt", "'q\".json", strings.Repeat("n", 240), "日本語.xml", "x.gz", "x.xlsx", "x.parquet", "CON", "%s%n", "..txt", "a:b", "a\\b", "*",
}
