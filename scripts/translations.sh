#!/usr/bin/env bash
# Keeps the translations of the window complete.
#   scripts/translations.sh           updates resources/i18n/*.ts from the sources
#   scripts/translations.sh --check   changes nothing; fails and lists strings that are new or untranslated
#   scripts/translations.sh --list    prints untranslated strings, one per line
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/lib/qt6/bin
command -v lupdate >/dev/null || { echo "lupdate is missing (Debian: qt6-l10n-tools)" >&2; exit 1; }

sources=$(mktemp -d)
trap 'rm -rf "$sources"' EXIT
# Free functions translate with a helper whose context lupdate cannot determine, and names of attributes and
# features come from core: a copy of the sources makes both visible to lupdate.
python3 scripts/translated_sources.py "$sources"
update() { lupdate -silent -locations none -no-obsolete -I "$sources/viewmodels" -I "$sources/app" "$sources" -ts "$1"; }

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
