#pragma once

#include "player/player.hpp"
#include "trace/lab_image.hpp"

#include <QByteArray>
#include <QString>

#include <span>
#include <string_view>
#include <vector>

namespace pollard::vm {

/// An instructive image.
struct LabExample {
    std::string_view id; ///< permanent: prepared scenes refer to it
    const char* name;    ///< for exampleTitle()
    teach::LabImage picture;
};

/// All examples, the simplest first.
[[nodiscard]] std::span<const LabExample> labExamples();
/// Null if there is none with this id.
[[nodiscard]] const LabExample* findLabExample(std::string_view id);
/// Its name in the language of the window.
[[nodiscard]] QString exampleTitle(const LabExample& example);

/// A prepared state of the grid lab.
struct PreparedScene {
    QString title;
    teach::LabImage picture;
    int player = 0; ///< index in teach::players()
    teach::PlayerSpec spec;
    int step = 0; ///< first step
    bool guessing = false;
};

/// Largest file of scenes, bytes, and most scenes in it.
inline constexpr qsizetype kLargestSceneFile = 4 << 20;
inline constexpr qsizetype kMostScenes = 500;

/// Reads the format of docs/teach.md. Known titles are translated.
/// @throws Error(invalidArgument) naming the scene and the problem
[[nodiscard]] std::vector<PreparedScene> readScenes(const QByteArray& json);

/// A scene in that format; readScenes() of a list with it gives the same scene, except that turns by hand become turns
/// in order.
[[nodiscard]] QByteArray sceneText(const PreparedScene& scene);

/// Reads a file of scenes. @throws Error like readScenes(), and if the file cannot be read
[[nodiscard]] std::vector<PreparedScene> loadScenes(const QString& path);

} // namespace pollard::vm
