#pragma once

#include "widgets/transport_bar.hpp"

#include <QLabel>
#include <QListWidget>
#include <QWidget>

class QCheckBox;
class QPushButton;

namespace pollard::vm {
class DemonstrationViewModel;
class LabPlayerViewModel;
class LabViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Playback controls for a recorded algorithm.
class LabTransport : public TransportBar {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabTransport(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

private:
    void showState();

    vm::LabPlayerViewModel& player_;
};

class ElidedLabel;

/// Another algorithm on the image of the lab, at the same share of its steps as the played algorithm.
class LabBeside : public QWidget {
    Q_OBJECT

public:
    /// @param lab,player must outlive this; LabPlayerViewModel::beside() of @p player is shown
    LabBeside(vm::LabViewModel& lab, vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

    [[nodiscard]] const vm::LabPlayerViewModel& own() const noexcept { return *own_; }

private:
    void showStep();

    vm::LabPlayerViewModel& player_;
    vm::LabPlayerViewModel* own_;
    ElidedLabel* caption_;
};

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
    void applyStyle();

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

/// The prepared scenes of a lecture, with the current one highlighted.
class LabSceneList : public QListWidget {
    Q_OBJECT

public:
    /// @param demonstration must outlive this
    explicit LabSceneList(vm::DemonstrationViewModel& demonstration, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {250, 300}; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showScenes();
    void showCurrent();

    vm::DemonstrationViewModel& demonstration_;
};

/// The pseudo-code of the algorithm with the current line highlighted.
class LabCode : public QListWidget {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabCode(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override { return {140, 80}; }

private:
    void showLines();
    void showLine();

    vm::LabPlayerViewModel& player_;
};

} // namespace pollard::app
