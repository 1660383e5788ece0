#pragma once

#include "vm/lab/lab_scenes.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pollard::vm {

class LabPlayerViewModel;
class LabViewModel;

/// A lecture: prepared scenes of the grid lab, one after another, each step by step. Two keys are enough to control it.
class DemonstrationViewModel : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this. Starts with the scenes of the program.
    DemonstrationViewModel(LabViewModel& lab, LabPlayerViewModel& player, QObject* parent = nullptr);

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    [[nodiscard]] QStringList titles() const;
    /// Index in the list; -1 before the first scene.
    [[nodiscard]] int current() const noexcept { return current_; }

    /// The present state of the lab, in the format of scenes.
    [[nodiscard]] QByteArray presentScene() const;

    /// Loads other scenes. @return the error in the file, for the user; then nothing changes
    [[nodiscard]] QString load(const QString& path);

public slots:
    /// The first activation shows the first scene. The end brings image and step of the lab back, the next
    /// activation image and step of the lecture.
    void setActive(bool active);
    void show(int scene);
    /// The next step; after the last one the next scene.
    void forward();
    /// The previous step; before the first one the previous scene.
    void back();

signals:
    void activeChanged();
    void scenesChanged();
    void currentChanged();

private:
    [[nodiscard]] PreparedScene present() const;
    void put(const PreparedScene& scene);

    LabViewModel& lab_;
    LabPlayerViewModel& player_;
    std::vector<PreparedScene> scenes_;
    std::optional<PreparedScene> left_; ///< state of the lab during a lecture, else of the lecture
    int current_ = -1;
    bool active_ = false;
};

} // namespace pollard::vm
