#!/usr/bin/env bash
# Keeps the translations of the window complete.
#   scripts/translations.sh           brings resources/i18n/*.ts up to date with the sources
#   scripts/translations.sh --check   changes nothing; fails, and names them, if strings are new or without translation
#   scripts/translations.sh --list    prints the strings that have none, one a line
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/lib/qt6/bin
command -v lupdate >/dev/null || { echo "lupdate is missing (Debian: qt6-l10n-tools)" >&2; exit 1; }

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
# Functions without a class translate by a helper text(), whose context lupdate cannot know, and names of attributes and
# features come from core: both are written out for it in a copy.
python3 scripts/translated_sources.py "$sources"
update() { lupdate -silent -locations none -no-obsolete "$sources" -ts "$1"; }

for translation in resources/i18n/*.ts; do
    case "${1:-}" in
    "") update "$translation" ;;
    --check | --list)
        cp "$translation" "$sources/checked.ts"
        update "$sources/checked.ts"
        python3 scripts/untranslated.py "${1#--}" "$translation" "$sources/checked.ts"
        ;;
    *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
