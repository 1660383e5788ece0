#pragma once

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

class ElidedLabel;
class EmptyState;
class FixedHeightLabel;

/// The component dock: image, attributes and neighbours of the current component, and actions on it.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    InspectorPanel(vm::InspectorViewModel& inspector, vm::ChainViewModel& chain, vm::NodeSelection& selection,
                   vm::DisplayViewModel& display, QWidget* parent = nullptr);

public slots:
    /// Whether this is visible; the chain is followed only then.
    void setLooking(bool looking);

signals:
    /// Requests a contour that starts from the component with this canonical pixel.
    void refineRequested(quint32 canonical);
    /// Requests the component at the middle of the view.
    void middleRequested();
    /// Requests saving the component as a mask.
    void maskRequested(quint32 node);

private:
    [[nodiscard]] QWidget* makeHead();
    void makeTree();
    void connectModels();
    void showComponent();

    vm::InspectorViewModel& inspector_;
    vm::ChainViewModel& chain_;
    vm::NodeSelection& selection_;
    FixedHeightLabel* summary_;
    ElidedLabel* verdict_; ///< kept or removed by the filter, and why
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
    EmptyState* hint_;
};

} // namespace pollard::app
