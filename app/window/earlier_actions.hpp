#pragma once

#include <QAction>
#include <QList>
#include <QObject>

namespace pollard::vm {
class EarlierFilters;
}

namespace pollard::app {

/// Starts the next filter, goes back to the previous one, or removes all.
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
