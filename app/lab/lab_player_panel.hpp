#pragma once

#include <QLabel>
#include <QWidget>

class QCheckBox;
class QPushButton;

namespace pollard::vm {
class LabPlayerViewModel;
}

namespace pollard::app {

class ElidedLabel;

/// The caption of the player in large type, the question to the student, and the transport.
class LabPlayerPanel : public QWidget {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabPlayerPanel(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

    /// Sets the font size of the caption as a multiple of the window's.
    void setLetters(double factor);

protected:
    void changeEvent(QEvent* event) override;

private:
    QPushButton* makeAnswer(const char* name, const QString& title, const QString& tip, int value);
    void showState();
    void dress();

    vm::LabPlayerViewModel& player_;
    ElidedLabel* title_;
    QLabel* caption_;
    QLabel* step_;
    QLabel* score_;
    QCheckBox* guess_;
    QPushButton* keep_;
    QPushButton* remove_;
    double letters_;
};

} // namespace pollard::app
