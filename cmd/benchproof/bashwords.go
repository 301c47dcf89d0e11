package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The script that cobra makes takes the words of the line from a function of the
// package bash-completion, without which each press of Tab is an error. Where it
// is missing the script gets them from what bash itself says: that divides words
// at = and :, too, and the line says what belongs together.
const (
	cobraWords = `    _get_comp_words_by_ref "$@" cur prev words cword
`
	ownWords = `    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
    else
        __benchproof_words
    fi
`
	wordsFunction = `
# The words of the line without the package bash-completion.
__benchproof_words()
{
    local i line=$COMP_LINE
    words=()
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        if ((i == 0)) || [[ $line == [[:blank:]]* ]]; then
            words[${#words[@]}]=${COMP_WORDS[i]}
        else
            words[${#words[@]}-1]+=${COMP_WORDS[i]}
        fi
        line=${line#"${line%%[![:blank:]]*}"}
        line=${line#"${COMP_WORDS[i]}"}
        ((i == COMP_CWORD)) && cword=$((${#words[@]} - 1))
    done
    cur=${words[cword]}
    prev=${words[cword > 0 ? cword - 1 : 0]}
}
`
)

// bashCompletion writes the script for bash.
func bashCompletion(w io.Writer, root *cobra.Command) error {
	var b bytes.Buffer
	if err := root.GenBashCompletionV2(&b, true); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(b.String(), cobraWords, ownWords, 1)+wordsFunction)
	return err
}
