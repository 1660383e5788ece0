#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/filter/criteria_model.hpp"
#include "vm/tree/counted_plane.hpp"

#include "tree/node_set.hpp"

#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

class ChainViewModel;
class DocumentViewModel;
class FilterViewModel;

/// Counts of the components of the present tree by two attributes. A rectangle on the plane becomes two criteria of the
/// filter, a lasso a list of nodes, and the chain's current component is marked.
///
/// Places are from 0 to 1 on both axes, y upwards. Components are counted only while setActive(). The engine of the
/// document measures and counts; queries on single nodes run on a thread of this object and use constant data.
class AttributePlaneViewModel : public Analysis {
    Q_OBJECT

public:
    using State = AsyncState;

    enum class Side { x, y };

    static constexpr std::uint32_t kColumns = 256; ///< at most; integer values may need fewer
    static constexpr std::uint32_t kRows = 192;

    using Counted = CountedPlane;
    using Range = PlaneRange;
    using Rectangle = PlaneRectangle;

    /// @param document,filter,chain must outlive this
    AttributePlaneViewModel(DocumentViewModel& document, FilterViewModel& filter, ChainViewModel& chain,
                            QObject* parent = nullptr);

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] bool isIdle() const override { return state_ != State::computing; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] AttributeId attribute(Side side) const noexcept { return axis(side).attribute; }
    /// A logarithmic axis. Default: if it shows all values.
    [[nodiscard]] bool isLogarithmic(Side side) const;
    /// There is a positive value, so the axis can be logarithmic.
    [[nodiscard]] bool canBeLogarithmic(Side side) const;
    /// Nodes in the rectangle are removed instead of kept.
    [[nodiscard]] bool isInverse() const noexcept { return inverse_; }

    /// The displayed plane; null if there is none.
    [[nodiscard]] std::shared_ptr<const Counted> counted() const noexcept { return counted_; }

    /// The rectangle of the criteria, in values of the attributes.
    [[nodiscard]] std::optional<Rectangle> rectangle() const noexcept { return rectangle_; }
    /// The rectangle in places; left() and top() are the smaller ones.
    [[nodiscard]] std::optional<QRectF> rectanglePlaces() const;
    /// Nodes in the rectangle; empty until counted.
    [[nodiscard]] std::optional<std::uint64_t> nodesInside() const noexcept { return inside_; }

    /// Place of the chain's current component; empty if there is none, or it is outside the plane.
    [[nodiscard]] std::optional<QPointF> markedPlace() const;

    /// 1 for cells of counted() with a selected component; null without a selection, and until computed.
    [[nodiscard]] std::shared_ptr<const std::vector<std::uint8_t>> selectedCells() const noexcept {
        return cells_.value();
    }

    /// Contents of a cell: "area 32 to 35 px, height 12 grey: 1,234 components"; empty outside the plane.
    [[nodiscard]] QString readout(const QPointF& place) const {
        return counted_ ? counted_->readout(place) : QString();
    }
    /// Text for the rectangle, or for the plane if there is none.
    [[nodiscard]] QString summary() const;

public slots:
    /// If the other axis has this attribute, the attributes are swapped.
    void setAttribute(pollard::vm::AttributePlaneViewModel::Side side, pollard::AttributeId id);
    void setLogarithmic(pollard::vm::AttributePlaneViewModel::Side side, bool logarithmic);
    /// Swaps x and y, including the rectangle.
    void swapAxes();
    void setInverse(bool inverse);
    /// Components of the present tree displayed as selected.
    void setSelected(const std::shared_ptr<const pollard::NodeSet>& nodes);

    /// Makes the cells touched by these places the rectangle, and its ranges criteria of the filter: all must be met,
    /// and other criteria joined by "all" stay. With setInverse() all criteria are replaced, because the parts around a
    /// rectangle are joined by "any". Live or on Apply, like the filter.
    void brush(const QRectF& places);
    /// Moves the rectangle's sides to the cell edges nearest to these places.
    void reshape(const QRectF& places);
    /// Moves the rectangle, or its upper right corner, by a number of cells within the plane.
    void moveBy(int columns, int rows);
    void resizeBy(int columns, int rows);
    /// Removes the rectangle and restores the criteria from before it.
    void clear();
    /// Finds the nodes inside a polygon of places; ends with nodesChosen().
    void choose(const QList<QPointF>& polygon);

signals:
    void axesChanged(); ///< attributes or scales
    void inverseChanged();
    void rectangleChanged(); ///< including its removal
    void insideCounted();    ///< nodesInside() is set, some time after rectangleChanged()
    void markChanged();
    void selectedCellsChanged();
    /// Numbers of nodes of the present tree, ascending.
    void nodesChosen(const std::shared_ptr<const std::vector<std::uint32_t>>& nodes);

private:
    void onActive() override { update(); }
    struct Axis {
        AttributeId attribute = AttributeId::area;
        std::optional<bool> logarithmic; ///< as chosen by the user
    };

    [[nodiscard]] const Axis& axis(Side side) const noexcept { return side == Side::x ? axes_.first : axes_.second; }
    [[nodiscard]] Axis& axis(Side side) noexcept { return side == Side::x ? axes_.first : axes_.second; }
    void take(const PlaneCells& cells);
    void onTree();
    void onCriteria();
    void update();
    void post();
    void onCounted(const std::shared_ptr<const PlaneRequest>& request,
                   const std::shared_ptr<const AttributePlane>& plane, const QString& problem);
    void show(State state, std::shared_ptr<const Counted> counted);
    /// Removes the rectangle without a change of the filter.
    void dropRectangle();
    void applyRectangle();
    /// Restores the rectangle that led to these criteria, if there is one.
    bool recall(const CriteriaModel::State& present);
    /// Counts at once if the rectangle consists of cells, else from the values.
    void countInside();
    void findSelected();
    void setCriteria(const CriteriaModel::State& state);

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    ChainViewModel& chain_;
    State state_ = State::empty;
    QString problem_;
    std::pair<Axis, Axis> axes_{{AttributeId::area, {}}, {AttributeId::height, {}}};
    bool inverse_ = false;
    bool waiting_ = false;                        ///< for columns of the document
    std::shared_ptr<const PlaneRequest> request_; ///< the pending one; else null
    std::shared_ptr<const Counted> counted_;
    std::optional<Rectangle> rectangle_;
    std::optional<std::uint64_t> inside_;
    std::shared_ptr<const NodeSet> selected_;
    PlaneCriteria criteria_; ///< of the rectangle
    bool applying_ = false;
    AsyncResult<std::vector<std::uint8_t>> cells_{[this] { emit selectedCellsChanged(); }}; ///< with one of selected_
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
