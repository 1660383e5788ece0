#pragma once

#include <QListWidget>

namespace pollard::vm {
class DemonstrationViewModel;
}

namespace pollard::app {

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

} // namespace pollard::app
