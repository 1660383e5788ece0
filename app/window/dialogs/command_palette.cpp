#include "window/dialogs/command_palette.hpp"

#include "theme/theme.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/screen_size.hpp"
#include "window/dialogs/command_words.hpp"
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
constexpr int kBestBehind = 3500; ///< rank of controls and recent files: behind commands with all words as synonyms
constexpr int kHelp = -1;         ///< in place of the number of an action

QString nameOf(const QAction& action) {
    const QDockWidget* dock = dockOf(action);
    return dock != nullptr ? dock->objectName() : action.objectName();
}

} // namespace

CommandPalette::CommandPalette(const QList<ListedAction>& actions, QWidget* parent, const QList<ListedAction>& controls)
    : QDialog(parent), actions_(actions + controls), firstControl_(actions.size()), query_(new QLineEdit(this)),
      list_(new QTreeWidget(this)) {
    for (const ListedAction& each : actions_) {
        const QAction& action = *each.action;
        texts_.emplace_back(plainText(action), commandWords(nameOf(action)),
                            QStringList{each.menu, action.iconText(), action.toolTip()}.join(u' '));
    }
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Find a command"));
    setAttribute(Qt::WA_DeleteOnClose);
    query_->setObjectName(QStringLiteral("commandQuery"));
    query_->setPlaceholderText(tr("Words of a command or a job, e.g. \"save\" or \"count\""));
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
    resizeOnScreen(*this,
                   {kWidthInLetters * fontMetrics().averageCharWidth(), kRows * (fontMetrics().height() + 8) + 80});
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

void CommandPalette::addHelpRow(bool found) {
    const QString query = query_->text().trimmed();
    auto* row = new QTreeWidgetItem(list_);
    row->setFirstColumnSpanned(true);
    row->setText(0, found ? tr("Search the help for “%1”").arg(query)
                          : tr("Nothing found. Search the help for “%1”").arg(query));
    row->setData(0, Qt::UserRole, kHelp);
}

void CommandPalette::showMatches() {
    std::vector<std::pair<int, int>> found; // rank, number
    const QStringList words = vm::queryWords(query_->text());
    const bool isCommand = std::any_of(texts_.begin(), texts_.begin() + firstControl_,
                                       [&words](const vm::FindableText& text) { return text.isNamed(words); });
    for (int i = 0; i < actions_.size(); ++i) {
        if (const auto rank = texts_[static_cast<std::size_t>(i)].rank(words)) {
            // The label of a control is its name, if no command has the same.
            const bool isLabel =
                i >= firstControl_ && !isCommand && vm::queryWords(actions_[i].action->iconText()) == words;
            const bool isBehind = i >= firstControl_ || actions_[i].action->objectName() == kRecentFile;
            const int place = isLabel ? 0 : isBehind ? std::max(*rank, kBestBehind) : *rank;
            found.emplace_back(2 * place + (actions_[i].action->isEnabled() ? 0 : 1), i);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    list_->clear();
    for (const auto& [rank, number] : found) {
        addRow(number);
    }
    if (!words.isEmpty()) {
        addHelpRow(!found.empty());
    }
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; first == nullptr && i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = list_->topLevelItem(i);
        first = row->flags().testFlag(Qt::ItemIsEnabled) ? row : nullptr;
    }
    list_->setCurrentItem(first);
    query_->setAccessibleDescription(first == nullptr ? tr("No command fits") : first->text(0));
}

void CommandPalette::runCurrent() {
    const QTreeWidgetItem* row = list_->currentItem();
    if (row == nullptr || !isVisible()) { // a click can signal both itemClicked and itemActivated
        return;
    }
    const int number = row->data(0, Qt::UserRole).toInt();
    if (number == kHelp) {
        const QString query = query_->text().trimmed();
        accept();
        emit helpRequested(query);
        return;
    }
    QAction* action = actions_[number].action;
    accept();
    // After the dialog has closed, so that dialogs opened by the action come to the front.
    if (QDockWidget* dock = dockOf(*action)) { // shown even if it is visible
        QTimer::singleShot(0, dock, [dock] { bringForward(*dock); });
    } else {
        QTimer::singleShot(0, action, &QAction::trigger);
    }
    emit chosen(action);
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
