#include "window/dialogs/command_palette.hpp"

#include "theme/theme.hpp"
#include "vm/base/word_search.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kRows = 14;   ///< visible at once
constexpr int kColumns = 3; ///< description, menu, keys
constexpr int kWidthInLetters = 105;

} // namespace

CommandPalette::CommandPalette(const QList<ListedAction>& actions, QWidget* parent)
    : QDialog(parent), actions_(actions), query_(new QLineEdit(this)), list_(new QTreeWidget(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Find a command"));
    setAttribute(Qt::WA_DeleteOnClose);
    query_->setObjectName(QStringLiteral("commandQuery"));
    query_->setPlaceholderText(tr("Words of a command, e.g. \"min tree\" or \"save\""));
    query_->setClearButtonEnabled(true);
    query_->installEventFilter(this);
    explain(query_, tr("Command"), tr("Words of a command; up and down choose, Return runs it, Escape closes"));
    list_->setObjectName(QStringLiteral("commandList"));
    list_->setColumnCount(kColumns);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->header()->setStretchLastSection(false);
    explain(list_, tr("Commands"), tr("Commands with these words; a click runs one"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(query_);
    layout->addWidget(list_);
    connect(query_, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(query_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
    connect(list_, &QTreeWidget::itemActivated, this, &CommandPalette::runCurrent);
    showMatches();
    resize(kWidthInLetters * fontMetrics().averageCharWidth(), kRows * (fontMetrics().height() + 8) + 80);
    list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void CommandPalette::addRow(int number) {
    const ListedAction& listed = actions_[number];
    const QAction& action = *listed.action;
    auto* row = new QTreeWidgetItem(list_);
    const QString done = action.isCheckable() && action.isChecked() ? QStringLiteral("✓ ") : QString();
    row->setText(0, done + plainText(action));
    row->setText(1, listed.menu);
    row->setText(2, keysText(action));
    row->setToolTip(0, action.toolTip());
    row->setForeground(1, secondaryText(palette()));
    row->setForeground(2, secondaryText(palette()));
    row->setData(0, Qt::UserRole, number);
    row->setData(0, Qt::AccessibleTextRole,
                 QStringLiteral("%1, %2, %3").arg(plainText(action), listed.menu, keysText(action)));
    if (!action.isEnabled()) {
        row->setFlags(Qt::NoItemFlags);
        row->setToolTip(0, tr("Not available"));
    }
}

void CommandPalette::showMatches() {
    std::vector<std::pair<int, int>> found; // score, number
    for (int i = 0; i < actions_.size(); ++i) {
        const ListedAction& listed = actions_[i];
        // The name counts more than the menu.
        const QString name = plainText(*listed.action);
        const int own = vm::matchScore(query_->text(), name);
        const int all =
            vm::matchScore(query_->text(), name + u' ' + listed.menu + u' ' + listed.action->toolTip(), false);
        if (own > 0 || all > 0) {
            found.emplace_back(2 * own + all + (listed.action->isEnabled() ? 1 : 0), i);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    list_->clear();
    QTreeWidgetItem* first = nullptr;
    for (const auto& [score, number] : found) {
        addRow(number);
        QTreeWidgetItem* row = list_->topLevelItem(list_->topLevelItemCount() - 1);
        if (first == nullptr && row->flags().testFlag(Qt::ItemIsEnabled)) {
            first = row;
        }
    }
    list_->setCurrentItem(first);
    query_->setAccessibleDescription(first == nullptr ? tr("No command fits") : first->text(0));
}

void CommandPalette::runCurrent() {
    const QTreeWidgetItem* row = list_->currentItem();
    if (row == nullptr || !isVisible()) { // a click can signal both itemClicked and itemActivated
        return;
    }
    QAction* action = actions_[row->data(0, Qt::UserRole).toInt()].action;
    accept();
    // After the dialog has closed, so that dialogs opened by the action come to the front.
    if (QDockWidget* dock = dockOf(*action)) { // shown even if it is visible
        QTimer::singleShot(0, dock, [dock] { bringForward(*dock); });
    } else {
        QTimer::singleShot(0, action, &QAction::trigger);
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(list_, event);
            query_->setAccessibleDescription(list_->currentItem() != nullptr ? list_->currentItem()->text(0)
                                                                             : QString());
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace pollard::app
