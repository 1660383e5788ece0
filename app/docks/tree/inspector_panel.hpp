#pragma once

#include <QImage>
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

/// Thumbnail of the inspected component in the colours of the display; the component is marked.
class ComponentThumbnail : public QWidget {
    Q_OBJECT

public:
    /// @param inspector,display must outlive this
    ComponentThumbnail(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    vm::InspectorViewModel& inspector_;
    vm::DisplayViewModel& display_;
    QImage image_;
};

/// Slices of the inspected component of a volume, side by side; a click shows a slice. Hidden in images.
class ComponentStrip : public QWidget {
    Q_OBJECT

public:
    /// @param inspector,display must outlive this
    ComponentStrip(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void colour();
    /// Place of a slice in the strip.
    [[nodiscard]] QRectF place(int number) const;
    /// Index of the slice in the strip at a point; -1 if there is none.
    [[nodiscard]] int numberAt(const QPointF& point) const;

    vm::InspectorViewModel& inspector_;
    vm::DisplayViewModel& display_;
    std::vector<QImage> images_;
};

/// The component dock: image, attributes and neighbours of the current component, and actions on it.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    InspectorPanel(vm::InspectorViewModel& inspector, vm::ChainViewModel& chain, vm::NodeSelection& selection,
                   vm::DisplayViewModel& display, QWidget* parent = nullptr);

public slots:
    /// Follows the chain or stops; for a panel that becomes visible or hidden.
    void setFollowing(bool following);

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
