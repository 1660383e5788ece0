#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QWidget>

#include <array>

namespace pollard::vm {
class RegionViewModel;
}

namespace pollard::app {

class CanvasActions;
class EmptyState;

/// The list of shapes that restrict the analysis, with the coordinates of the selected one and the covered area.
class RegionPanel : public QWidget {
    Q_OBJECT

public:
    /// @param region,actions must outlive this
    RegionPanel(vm::RegionViewModel& region, CanvasActions& actions, QWidget* parent = nullptr);

private:
    void addTools(CanvasActions& actions);
    void addNumbers();
    void addArea(CanvasActions& actions);
    void showShapes();
    void showNumbers();
    void showArea();
    void applyNumbers();

    vm::RegionViewModel& region_;
    EmptyState* hint_ = nullptr;
    QListWidget* list_ = nullptr;
    QWidget* numbers_ = nullptr;
    std::array<QDoubleSpinBox*, 4> boxes_{}; ///< left, top, width, height
    QLabel* shapeArea_ = nullptr;
    QWidget* areaRow_ = nullptr;
    QLabel* area_ = nullptr;
};

} // namespace pollard::app
