#include "lab/lab_code.hpp"

#include "vm/lab/lab_player_view_model.hpp"
#include "widgets/panel_parts.hpp"

namespace pollard::app {

using Player = vm::LabPlayerViewModel;

LabCode::LabCode(Player& player, QWidget* parent) : QListWidget(parent), player_(player) {
    setObjectName(QStringLiteral("labCode"));
    explain(this, tr("Pseudo-code"), tr("The algorithm in words; the current line is highlighted"));
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::NoSelection);
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(&player_, &Player::recordingChanged, this, &LabCode::showLines);
    connect(&player_, &Player::stepChanged, this, &LabCode::showLine);
    showLines();
}

void LabCode::showLines() {
    const QStringList lines = player_.lines();
    QStringList shown;
    for (int row = 0; row < count(); ++row) {
        shown << item(row)->text();
    }
    if (lines != shown) {
        clear();
        addItems(lines);
    }
    showLine();
}

void LabCode::showLine() {
    const int line = player_.line();
    for (int row = 0; row < count(); ++row) {
        QListWidgetItem* each = item(row);
        const bool lit = row == line;
        each->setBackground(lit ? palette().brush(QPalette::Highlight) : QBrush());
        each->setForeground(lit ? palette().brush(QPalette::HighlightedText) : palette().brush(QPalette::Text));
    }
    if (line >= 0 && line < count()) {
        scrollToItem(item(line));
    }
    setAccessibleDescription(line >= 0 && line < count() ? item(line)->text().trimmed() : QString());
}

} // namespace pollard::app
