#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QWidget>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// How a contour evolves: law, moves, engine, lengths and limits, and several of them together or apart.
class ContourControls : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourControls(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void makeChoices();
    void makeLengths();
    void makeSeveral();
    void takeEngine();
    void takeSeveral();
    void showEngines();
    void showSeveral();
    void takeSpec();
    void showSpec();

    vm::ContourViewModel& contours_;
    QComboBox* law_;
    QComboBox* moves_;
    QComboBox* engine_;
    QComboBox* several_;
    QSpinBox* margin_;
    QComboBox* maxStep_;
    QSpinBox* minLength_;
    QSpinBox* maxNodes_;
    QSpinBox* minPixels_;
    QCheckBox* tinted_;
};

} // namespace pollard::app
