#include "vm/lab/demonstration_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/base/teach_text.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_view_model.hpp"

#include <exception>
#include <utility>

namespace pollard::vm {

namespace {

constexpr auto kOwnScenes = ":/pollard/scenes/lecture.json";

} // namespace

DemonstrationViewModel::DemonstrationViewModel(LabViewModel& lab, LabPlayerViewModel& player, QObject* parent)
    : QObject(parent), lab_(lab), player_(player) {
    static_cast<void>(load(QLatin1String(kOwnScenes))); // a program without its resources has no scenes
}

QStringList DemonstrationViewModel::titles() const {
    QStringList titles;
    for (const PreparedScene& scene : scenes_) {
        titles << scene.title;
    }
    return titles;
}

PreparedScene DemonstrationViewModel::present() const {
    return {teachText(player_.info().title),
            lab_.picture(),
            player_.player(),
            player_.spec(),
            player_.done(),
            player_.isGuessing()};
}

QByteArray DemonstrationViewModel::presentScene() const { return sceneText(present()); }

void DemonstrationViewModel::put(const PreparedScene& scene) {
    lab_.setPicture(scene.picture);
    player_.setGuessing(scene.guessing);
    player_.start(scene.player, scene.spec, scene.step);
}

QString DemonstrationViewModel::load(const QString& path) {
    try {
        scenes_ = loadScenes(path);
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    current_ = -1;
    emit scenesChanged();
    emit currentChanged();
    if (active_) {
        show(0);
    } else {
        left_.reset(); // a state of the scenes before
    }
    return {};
}

void DemonstrationViewModel::setActive(bool active) {
    if (!change(active_, active)) {
        return;
    }
    emit activeChanged();
    const auto left = std::exchange(left_, present());
    if (left) {
        put(*left);
    } else {
        show(0);
    }
}

void DemonstrationViewModel::show(int scene) {
    if (scene < 0 || scene >= static_cast<int>(scenes_.size())) {
        return;
    }
    const PreparedScene& shown = scenes_[static_cast<std::size_t>(scene)];
    const bool isOther = scene != current_;
    current_ = scene;
    put(shown);
    if (isOther) {
        emit currentChanged();
    }
}

void DemonstrationViewModel::forward() {
    if (!player_.rests()) {
        return; // a scene is being loaded
    }
    if (player_.atEnd() && current_ + 1 < static_cast<int>(scenes_.size())) {
        show(current_ + 1);
    } else {
        player_.stepForward();
    }
}

void DemonstrationViewModel::back() {
    if (!player_.rests()) {
        return;
    }
    if (player_.done() == 0 && current_ > 0) {
        show(current_ - 1);
    } else {
        player_.stepBack();
    }
}

} // namespace pollard::vm
