#pragma once

#include <QList>
#include <QObject>

class QWidget;

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// Keeps the chain of components active while one of the panels that show it is visible. It ends with the next turn of
/// the event loop, so that it outlives a change from one panel's tab to another's.
class ChainActivity : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    ChainActivity(vm::ChainViewModel& chain, const QList<QWidget*>& panels, QObject* parent);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    vm::ChainViewModel& chain_;
    QList<QWidget*> panels_;
};

} // namespace pollard::app
