#pragma once

#include <QAction>
#include <QList>
#include <QObject>

namespace pollard::vm {
class EarlierFilters;
}

namespace pollard::app {

/// To the next filter, back to the one before, and to none.
class EarlierActions : public QObject {
    Q_OBJECT

public:
    /// @param earlier must outlive this
    explicit EarlierActions(vm::EarlierFilters& earlier, QObject* parent = nullptr);

    QAction* continueFromResult;
    QAction* goBack;
    QAction* clearAll;

    [[nodiscard]] QList<QAction*> all() const { return {continueFromResult, goBack, clearAll}; }

private:
    void showState();

    vm::EarlierFilters& earlier_;
};

} // namespace pollard::app
