#pragma once

#include <QDialog>

class QCheckBox;
class QSpinBox;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Asks for the seed and the number of exercises, and saves them as PDF.
class ExerciseDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models,errors must outlive this
    ExerciseDialog(Models& models, ErrorPresenter& errors, QWidget* parent = nullptr);

private:
    void save();

    Models& models_;
    ErrorPresenter& errors_;
    QSpinBox* seed_;
    QSpinBox* count_;
    QCheckBox* answers_;
};

} // namespace pollard::app
