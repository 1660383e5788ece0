#pragma once

#include "player/player.hpp"
#include "trace/lab_picture.hpp"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pollard::vm {

/// A prepared state of the grid lab.
struct PreparedScene {
    QString title;
    teach::LabPicture picture;
    int player = 0; ///< place in teach::players()
    teach::PlayerSpec spec;
    int step = 0; ///< where it begins
    bool guessing = false;
};

/// Largest file of scenes that is read, bytes, and most scenes in it.
inline constexpr qsizetype kLargestSceneFile = 4 << 20;
inline constexpr qsizetype kMostScenes = 500;

/// Reads the format of docs/teach.md. Titles that the program knows are translated.
/// @throws Error(invalidArgument) that names the scene and what is wrong with it
[[nodiscard]] std::vector<PreparedScene> readScenes(const QByteArray& json);

/// A scene in that format; readScenes() of a list with it gives the same scene, but that turns by hand become turns in
/// order.
[[nodiscard]] QByteArray sceneText(const PreparedScene& scene);

/// Reads a file of scenes. @throws Error as readScenes(), and if the file cannot be read
[[nodiscard]] std::vector<PreparedScene> loadScenes(const QString& path);

} // namespace pollard::vm
