#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

#include <vector>

namespace pollard::vm {
class ChainViewModel;
class DisplayViewModel;
class InspectorViewModel;
class NodeSelection;
} // namespace pollard::vm

namespace pollard::app {

class SteadyLines;

/// The component dock: picture, attributes and neighbours of the current component, and what can be done with it.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    InspectorPanel(vm::InspectorViewModel& inspector, vm::ChainViewModel& chain, vm::NodeSelection& selection,
                   vm::DisplayViewModel& display, QWidget* parent = nullptr);

public slots:
    /// Somebody looks; the chain is followed only then.
    void setLooking(bool looking);

signals:
    /// The component with this canonical pixel is to start a contour.
    void refineRequested(quint32 canonical);
    /// The component is to be written as a mask.
    void maskRequested(quint32 node);

private:
    [[nodiscard]] QWidget* makeHead();
    void makeTree();
    void connectModels();
    void showComponent();

    vm::InspectorViewModel& inspector_;
    vm::ChainViewModel& chain_;
    vm::NodeSelection& selection_;
    SteadyLines* summary_;
    QTreeView* tree_;
    QToolButton* parent_;
    QToolButton* child_;
    QToolButton* before_;
    QToolButton* next_;
    QToolButton* select_;
    QToolButton* remove_;
    QToolButton* keep_;
    QToolButton* only_;
    QToolButton* measure_;
    QToolButton* refine_;
    QToolButton* mask_;
    QStackedWidget* pages_;
    QLabel* hint_;
};

} // namespace pollard::app
