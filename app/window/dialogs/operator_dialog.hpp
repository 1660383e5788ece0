#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pollard::vm {
class OperatorPreview;
}

namespace pollard::app {

struct Models;
class ValueBox;

/// Applies an operator to the displayed result, with a preview. Stays open for the next one.
class OperatorDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit OperatorDialog(Models& models, QWidget* parent = nullptr);

private:
    void addRows();
    void chooseMarker();
    void showState();
    void showUnits();
    void showNeighbours();
    void showPreview();
    void apply();

    Models& models_;
    QFormLayout* form_ = nullptr;
    QWidget* shape_ = nullptr;
    QWidget* radius_ = nullptr;
    QWidget* sigma_ = nullptr;
    ValueBox* height_ = nullptr;
    QComboBox* unit_ = nullptr;
    QPushButton* marker_ = nullptr;
    QLineEdit* markerChannel_ = nullptr;
    QCheckBox* greyMarker_ = nullptr;
    QComboBox* neighbours_ = nullptr;
    QCheckBox* previews_ = nullptr;
    vm::OperatorPreview* preview_ = nullptr;
    QLabel* problem_ = nullptr;
    QPushButton* apply_ = nullptr;
};

} // namespace pollard::app
