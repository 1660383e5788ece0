#include "window/earlier_actions.hpp"

#include "shell/make_action.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "widgets/couple.hpp"

namespace pollard::app {

EarlierActions::EarlierActions(vm::EarlierFilters& earlier, QObject* parent)
    : QObject(parent), continueFromResult(makeAction({QStringLiteral("continueFromResult"),
                                                      tr("&Continue from the result"),
                                                      tr("Let another filter work on the result of this one"),
                                                      QStringLiteral("step_forward"),
                                                      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)}},
                                                     this)),
      goBack(makeAction({QStringLiteral("backToEarlierFilter"),
                         tr("&Back to the previous filter"),
                         tr("Edit the last of the earlier filters again, in place of this one"),
                         QStringLiteral("step_back"),
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Backspace)}},
                        this)),
      clearAll(makeAction({QStringLiteral("clearFilter"),
                           tr("Clear filt&er"),
                           tr("Remove all filters: the result is the picture as it is in the file"),
                           QStringLiteral("erase"),
                           {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}},
                          this)),
      earlier_(earlier) {
    connect(continueFromResult, &QAction::triggered, &earlier_, &vm::EarlierFilters::continueFromResult);
    connect(goBack, &QAction::triggered, &earlier_, &vm::EarlierFilters::goBack);
    connect(clearAll, &QAction::triggered, &earlier_, &vm::EarlierFilters::clearAll);
    follow(this, &EarlierActions::showState, earlier_, &vm::EarlierFilters::changed);
}

void EarlierActions::showState() {
    continueFromResult->setEnabled(earlier_.canContinue());
    goBack->setEnabled(earlier_.canGoBack());
    clearAll->setEnabled(earlier_.canClear());
}

} // namespace pollard::app
