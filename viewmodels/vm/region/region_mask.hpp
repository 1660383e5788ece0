#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"

#include <QObject>

#include <memory>
#include <vector>

namespace pollard::vm {

/// The pixels of a picture in a union of shapes or its complement, as a mask that is made on a separate thread.
class RegionMask : public QObject {
    Q_OBJECT

public:
    /// Null for the whole picture, for a region without pixels, and while one is made.
    [[nodiscard]] std::shared_ptr<const Mask> mask() const noexcept { return mask_; }
    /// Pixels of the region: all without shapes, 0 without a picture, -1 while they are counted.
    [[nodiscard]] qint64 count() const noexcept { return count_; }
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::build); }
    /// Replaces the mask, at once without shapes or picture; ends with made().
    void make(const Image* picture, const std::vector<RegionShape>& shapes, bool inverted);

signals:
    void made();
    void countChanged(); ///< follows made() if it is not -1

private:
    void end(std::shared_ptr<const Mask> mask, qint64 count);

    std::shared_ptr<const Mask> mask_;
    qint64 count_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
