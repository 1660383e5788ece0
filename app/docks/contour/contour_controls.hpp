#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QWidget>

namespace pollard {
struct SnakeSpec;
}

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

class MoreOptions;

/// Parameters of a contour: search distance, law, moves, engine, lengths and limits.
class ContourControls : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourControls(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void makeChoices();
    void makeLengths();
    void makeReach();
    void takeEngine();
    void takeReach();
    void showEngines();
    void showReach();
    template <class Control, class Value> void coupleSpec(Control* control, Value SnakeSpec::*member);
    void coupleLaw();
    void showAutomatic();

    vm::ContourViewModel& contours_;
    QComboBox* reach_;
    QSpinBox* margin_;
    QComboBox* law_;
    QComboBox* moves_;
    QComboBox* engine_;
    QComboBox* maxStep_;
    QSpinBox* minLength_;
    QSpinBox* maxNodes_;
    QSpinBox* minPixels_;
    QDoubleSpinBox* lengthPrice_;
    QCheckBox* tinted_;
    MoreOptions* more_;
};

} // namespace pollard::app
