#pragma once

#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/labels/label_gesture.hpp"
#include "vm/labels/label_work.hpp"

#include "image/region_shape.hpp"
#include "labels/label_runs.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class ObjectTableModel;
class ObjectsViewModel;

/// Edits of the displayed objects by hand: tools draw on the image, and each gesture is one edit. After the first edit
/// the objects do not follow their rule any more, until findAgain() or undo.
///
/// Edits are made on another thread, one after another in the order of the gestures.
class LabelEditViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestBrush = 500; ///< px

    /// @param objects,table must outlive this
    LabelEditViewModel(ObjectsViewModel& objects, const ObjectTableModel& table, QObject* parent = nullptr);
    ~LabelEditViewModel() override;

    /// Whether the tools are on the image, with their keys.
    [[nodiscard]] bool isOn() const noexcept { return on_; }
    /// The tool of the mouse; none while there are no objects.
    [[nodiscard]] LabelTool tool() const noexcept { return tool_; }
    [[nodiscard]] bool isAvailable() const;
    [[nodiscard]] int brush() const noexcept { return brush_; } ///< diameter of brush and eraser, px
    /// In a volume brush and eraser are balls, else discs in the slice.
    [[nodiscard]] bool isBall() const noexcept { return ball_; }
    /// The objects were changed by hand.
    [[nodiscard]] bool isEdited() const noexcept;
    /// The edited objects after the last edit that was made; null: they are not edited, or not measured yet.
    [[nodiscard]] std::shared_ptr<const FoundObjects> found() const noexcept { return found_; }
    /// Objects that were edited before and are not measured yet; null: there are none.
    [[nodiscard]] std::shared_ptr<const LabelRuns> adopted() const noexcept { return adopted_; }
    [[nodiscard]] bool isBusy() const noexcept { return running_ || !waiting_.empty(); }
    /// Why the last gesture has changed nothing; empty if it has.
    [[nodiscard]] QString problem() const { return problem_; }

    /// The points of the present gesture, px of the image.
    [[nodiscard]] const std::vector<RegionPoint>& path() const noexcept { return gesture_.points; }
    [[nodiscard]] bool isDrawing() const noexcept { return !gesture_.points.empty(); }
    /// Starts a gesture of the tool. @param over paints over other objects, too
    void begin(const QPointF& image, bool over);
    /// Adds a point to a stroke or a polygon, or moves the end of a line.
    void moveTo(const QPointF& image);
    /// Moves the last corner of a polygon.
    void moveCorner(const QPointF& image);
    /// Removes the last corner of a polygon; the first one ends the gesture.
    void removeCorner();
    /// Makes the edit.
    void finish();
    void cancel();

    /// Deletes objects. @param labels of the displayed objects
    void remove(const std::vector<std::uint32_t>& labels);
    /// Makes an object of a component.
    void take(const std::shared_ptr<const ComponentTree>& tree, std::uint32_t node);

    /// Gives an object another number. @param label of a displayed object
    /// @param join whether it becomes a part of the object that has the number; else problem() says so
    void renumber(std::uint32_t label, std::uint32_t number, bool join);
    /// Puts objects into a class, which they keep whatever the conditions of the classes are.
    /// @param labels of the displayed objects
    /// @param row of ClassList; the number of its rows for a new class; -1: the classes follow the conditions again
    void setClass(std::vector<std::uint32_t> labels, int row);

    /// The present state, or the requested one while it is being made.
    [[nodiscard]] LabelEdits state() const;
    /// The state of objects that were edited before. Empty if the labels do not have the size of the image.
    [[nodiscard]] LabelEdits adopt(LabelRuns labels);
    /// Returns to a state. Edits that are not known any more are left out.
    void setState(const LabelEdits& state);

public slots:
    void setOn(bool on);
    void setTool(pollard::vm::LabelTool tool);
    void setBrush(int diameter) {
        change(this, brush_, std::clamp(diameter, 1, kLargestBrush), &LabelEditViewModel::toolChanged);
    }
    void setBall(bool ball) { change(this, ball_, ball, &LabelEditViewModel::toolChanged); }
    /// Finds the objects by their rule instead of the edited ones.
    void findAgain();

signals:
    void toolChanged(); ///< isOn(), tool, brush or availability
    void pathChanged();
    void edited(); ///< state()
    /// Pixels of edited objects changed. @param records see LabelWork::takeRecords()
    void pixelsEdited(const std::shared_ptr<pollard::vm::LabelWork>& work, const std::string& records);
    void problemChanged();
    void busyChanged();

private:
    struct Task {
        enum class Kind : std::uint8_t { prepare, edit, go };

        std::shared_ptr<LabelWork> work;
        Kind task = Kind::prepare;
        LabelWork::Edit edit{};
        LabelEdits::Kind kind = LabelEdits::Kind::paint; ///< of the edit
        RemovedObjects removed{};                        ///< before the edit
        std::function<void()> made{};                    ///< called when the edit is made; none: nothing
        std::size_t position = 0;                        ///< to go to
        int turn = 0;
    };
    /// Prepares the work for an edit that will follow.
    void prepare();
    /// Begins a work if there is none.
    void beginWork();
    void post(LabelWork::Edit edit, LabelEdits::Kind kind, std::function<void()> made = {});
    void enqueue(Task task);
    void runNext();
    /// The result of a task.
    struct Step {
        bool changed = false; ///< the position of the work
        std::string records;  ///< see LabelWork::takeRecords()
    };
    void onDone(const Task& task, const JobOutcome& outcome, const Step& step);
    /// Keeps a work for undo.
    void hold(const std::shared_ptr<LabelWork>& work);
    [[nodiscard]] LabelWork::Measured measured() const;
    void onImage();
    void onObjects();
    void setProblem(const QString& problem) { change(this, problem_, problem, &LabelEditViewModel::problemChanged); }
    [[nodiscard]] BrushTip tip() const;

    ObjectsViewModel& objects_;
    const ObjectTableModel& table_;
    bool on_ = false;
    LabelTool tool_ = LabelTool::none;
    int brush_ = 15;
    bool ball_ = false;
    LabelGesture gesture_;
    std::shared_ptr<LabelWork> work_; ///< of the displayed objects, perhaps before their first edit; null: none
    LabelEdits state_;
    std::shared_ptr<const FoundObjects> found_; ///< of work_
    std::shared_ptr<const LabelRuns> adopted_;  ///< of work_
    /// Works to which undo can return, the newest last.
    std::deque<std::shared_ptr<LabelWork>> works_;
    QString path_; ///< of the file of works_
    std::deque<Task> waiting_;
    bool running_ = false;
    int turn_ = 0; ///< of tasks whose results are shown; another state begins a new one
    QString problem_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
