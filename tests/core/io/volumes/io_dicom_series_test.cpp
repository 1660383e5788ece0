#include "batch/input_files.hpp"
#include "core/io/io_volume_support.hpp"
#include "core/io/volumes/dicom_files.hpp"
#include "formats/dicom/dicom_series.hpp"
#include "io/volumes/read_volume.hpp"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

using Paths = std::vector<std::filesystem::path>;

/// Writes files, and returns their paths in the order of the calls.
class Folder {
public:
    std::filesystem::path add(const std::string& name, const std::string& bytes) {
        writeBytes(dir_ / name, bytes);
        paths_.push_back(dir_ / name);
        return paths_.back();
    }
    std::filesystem::path add(const std::string& name, const DicomFile& file) { return add(name, file.bytes()); }
    [[nodiscard]] const Paths& paths() const { return paths_; }
    [[nodiscard]] LoadedImage read(const ReadOptions& options = {}) const { return readVolume(paths_, options); }

private:
    TempDir dir_;
    Paths paths_;
};

std::vector<double> valuesAlongZ(const LoadedImage& volume) {
    std::vector<double> values;
    const Extent extent = volume.image->extent();
    for (std::size_t z = 0; z < extent.slices; ++z) {
        const double level = volume.image->level(z * extent.slicePixels());
        values.push_back(volume.info.mapping ? volume.info.mapping->valueOf(level) : level);
    }
    return values;
}

TEST(DicomSeries, SlicesAreSortedByPlaceNotByName) {
    Folder folder;
    folder.add("a.dcm", dicomSlice(15, 1));
    folder.add("b.dcm", dicomSlice(10, 2));
    folder.add("c.dcm", dicomSlice(20, 3));
    const LoadedImage volume = folder.read();
    EXPECT_EQ(volume.image->extent(), (Extent{4, 3, 3}));
    EXPECT_THAT(valuesAlongZ(volume), ElementsAre(2, 1, 3));
    EXPECT_EQ(volume.info.pixelSize, (PixelSize{0.25, 0.5, "mm", "DICOM", false, 5}));
    EXPECT_EQ(volume.image->sides(), (VoxelSides{1, 2, 20}));
    EXPECT_EQ(factOf(volume.info, "Axis directions"), "x to L, y to P, z to S");
    EXPECT_EQ(factOf(volume.info, "Origin"), "-10 20 10");
    EXPECT_THAT(volume.info.notes, IsEmpty());
}

TEST(DicomSeries, AFolderListsItsSeries) {
    const TempDir dir;
    std::filesystem::create_directories(dir / "b" / "empty");
    std::filesystem::create_directories(dir / "a");
    std::uint64_t bytes = 0;
    for (int i = 0; i < 3; ++i) {
        DicomFile file = dicomSlice(5 * i, i);
        file.text(0x0008103e, "LO", "Thorax  lung");
        writeBytes(dir / "b" / ("IM" + std::to_string(i)), file.bytes()); // without an extension
        bytes += file.bytes().size();
    }
    DicomFile other = dicomSlice(0, 1, "9.9");
    other.text(0x00200011, "IS", "2");
    writeBytes(dir / "b" / "other.dcm", other.bytes());
    writeBytes(dir / "a" / "frames", dicomImage(2, 2, 8, false, std::string(8, 'x'), 2).bytes());
    writeBytes(dir / "b" / "notes.txt", "no image");
    writeBytes(dir / "b" / "cut.dcm", dicomSlice(0, 1).bytes().substr(0, 150));
    const std::vector<DicomSeries> found = dicomSeriesAmong(filesUnder(dir.path()));
    ASSERT_THAT(found, SizeIs(3));
    EXPECT_EQ(found[0].file, dir / "a" / "frames");
    EXPECT_EQ(found[0].slices, 2U);
    EXPECT_EQ(found[0].files, 1U);
    EXPECT_EQ(found[1].name, "series 2 (CT)") << "sorted by number";
    EXPECT_EQ(found[1].files, 1U);
    EXPECT_EQ(found[2].name, "series 4 (CT)");
    EXPECT_EQ(found[2].description, "Thorax lung");
    EXPECT_EQ(found[2].file, dir / "b" / "IM0");
    EXPECT_EQ(found[2].files, 3U);
    EXPECT_EQ(found[2].slices, 3U);
    EXPECT_EQ(found[2].width, 4U);
    EXPECT_EQ(found[2].height, 3U);
    EXPECT_EQ(found[2].bytes, bytes);
    ReadOptions options;
    options.series = true;
    EXPECT_THAT(seriesOf(found[2].file, options)->files, SizeIs(3)) << "that its file opens";
    EXPECT_THAT(filesUnder(dir / "b" / "empty"), IsEmpty());
    EXPECT_THROW((void)filesUnder(dir / "none"), Error);
    std::stop_source stop;
    stop.request_stop();
    const JobControl stopped(stop.get_token());
    EXPECT_THROW((void)filesUnder(dir.path(), stopped), Cancelled);
    EXPECT_THROW((void)dicomSeriesAmong(filesUnder(dir.path()), stopped), Cancelled);
}

TEST(DicomSeries, PlacesAreThoseAlongTheNormal) {
    Folder folder;
    for (int i = 0; i < 4; ++i) { // sagittal planes: x to P, y to I, so the normal points to the right
        DicomFile file = dicomSlice(0, i);
        file.text(0x00200032, "DS", dicomNumbers({10.0 + 2 * i, -7, 30})).text(0x00200037, "DS", "0\\1\\0\\0\\0\\-1");
        folder.add(std::to_string(i), file);
    }
    const LoadedImage volume = folder.read();
    EXPECT_THAT(valuesAlongZ(volume), ElementsAre(3, 2, 1, 0));
    EXPECT_EQ(factOf(volume.info, "Axis directions"), "x to P, y to I, z to R");
    EXPECT_EQ(factOf(volume.info, "Origin"), "16 -7 30");
    EXPECT_EQ(volume.info.pixelSize->z, 2);
}

TEST(DicomSeries, AStatedSizeKeepsTheDistanceOfSlices) {
    Folder folder;
    folder.add("a", dicomSlice(0, 1));
    folder.add("b", dicomSlice(2, 2));
    ReadOptions options;
    options.pixelSize = PixelSize{500, 500, "µm", "stated", false};
    EXPECT_EQ(folder.read(options).info.pixelSize->z, 2000) << "µm";
    options.pixelSize->z = 3;
    EXPECT_EQ(folder.read(options).info.pixelSize->z, 3);
}

TEST(DicomSeries, MissingSlicesAndUnequalDistancesAreNoted) {
    const auto notes = [](const std::vector<double>& places) {
        Folder folder;
        for (const double place : places) {
            folder.add(std::to_string(folder.paths().size()), dicomSlice(place, 1));
        }
        return folder.read().info.notes;
    };
    EXPECT_THAT(notes({0, 1, 2, 3.002}), IsEmpty());
    EXPECT_THAT(notes({0, 1, 2, 4}), ElementsAre(HasSubstr("1 slice is missing (the widest gap follows slice 2)")));
    EXPECT_THAT(notes({0, 1, 2, 3.3}), ElementsAre(HasSubstr("not equal, 1 to 1.3 mm: taken as 1 mm")));
    EXPECT_THAT(notes({0, 1, 1, 2, 2}), ElementsAre(HasSubstr("5 images lie at 3 places: the first of each is taken")));
    Folder tilted;
    for (int i = 0; i < 3; ++i) {
        DicomFile file = dicomSlice(0, i);
        file.text(0x00200032, "DS", dicomNumbers({0, 0.2 * i, 1.0 * i}));
        tilted.add(std::to_string(i), file);
    }
    EXPECT_THAT(tilted.read().info.notes, ElementsAre(HasSubstr("tilted gantry")));
}

TEST(DicomSeries, OfImagesAtOnePlaceTheFirstIsTaken) {
    Folder folder;
    for (int i = 0; i < 6; ++i) {
        DicomFile file = dicomSlice(i % 3, i);
        folder.add(std::to_string(i), file.text(0x00200013, "IS", std::to_string(9 - i)));
    }
    EXPECT_THAT(valuesAlongZ(folder.read()), ElementsAre(3, 4, 5)) << "by their numbers";
}

TEST(DicomSeries, OfTimesAtOnePlaceTheFirstIsTaken) {
    Folder folder;
    for (int i = 0; i < 4; ++i) { // the second time has the lower numbers of images
        DicomFile file = dicomSlice(i % 2, 10 + i);
        file.text(0x00200100, "IS", i < 2 ? "2" : "1").text(0x00200013, "IS", std::to_string(1 + i));
        folder.add(std::to_string(i), file);
    }
    EXPECT_THAT(valuesAlongZ(folder.read()), ElementsAre(12, 13));
}

TEST(DicomSeries, WithoutPlacesNumbersCount) {
    Folder folder;
    for (const int number : {10, 9, 2}) {
        DicomFile file = dicomSlice(0, number);
        file.elements.erase(0x00200032);
        folder.add(std::to_string(number),
                   file.text(0x00200013, "IS", std::to_string(number)).text(0x00180050, "DS", "4"));
    }
    const LoadedImage volume = folder.read();
    EXPECT_THAT(valuesAlongZ(volume), ElementsAre(2, 9, 10));
    EXPECT_EQ(volume.info.pixelSize->z, 4) << "the thickness";
    EXPECT_THAT(volume.info.notes, ElementsAre(HasSubstr("order of their numbers")));
}

TEST(DicomSeries, TheLargestOfSeveralIsTaken) {
    Folder folder;
    folder.add("a.dcm", dicomSlice(0, 1, "1.2.3"));
    const std::filesystem::path other = folder.add("b.dcm", dicomSlice(1, 2, "1.2.3"));
    for (int i = 0; i < 3; ++i) {
        DicomFile file = dicomSlice(i, 10 + i, "1.2.4");
        folder.add("c" + std::to_string(i), file.text(0x00200011, "IS", "7").text(0x00080060, "CS", "MR"));
    }
    DicomFile scout = dicomSlice(9, 99, "1.2.4");
    folder.add("s", scout.text(0x00200037, "DS", "0\\1\\0\\0\\0\\-1")); // another plane
    DicomFile report = dicomSlice(9, 99, "1.2.4");
    report.elements.erase(0x7fe00010);
    folder.add("r", report);
    folder.add("readme.txt", std::string("none"));
    const LoadedImage volume = folder.read();
    EXPECT_THAT(valuesAlongZ(volume), ElementsAre(10, 11, 12));
    EXPECT_THAT(volume.info.notes, ElementsAre("3 series in these files: taken is series 7 (MR) with 3 slices; name a "
                                               "file of another one to read that",
                                               "2 files are no DICOM images and are left out"));
    EXPECT_THAT(seriesOf(other), ElementsAre(folder.paths()[0], folder.paths()[1]));
    EXPECT_THAT(valuesAlongZ(readVolume(seriesOf(other))), ElementsAre(1, 2));
    EXPECT_THAT(seriesOf(folder.paths()[5]), IsEmpty()) << "alone";
    EXPECT_THAT(seriesOf(folder.add("p.pgm", std::string("P2 1 1 9 3"))), IsEmpty());
}

TEST(DicomSeries, AFileStandsForItsSeries) {
    Folder folder;
    folder.add("a.dcm", dicomSlice(15, 1));
    folder.add("b.dcm", dicomSlice(10, 2));
    folder.add("c.dcm", dicomSlice(25, 3));
    folder.add("x.dcm", dicomSlice(5, 9, "1.2.4"));
    ReadOptions options;
    options.series = true;
    const std::filesystem::path& file = folder.paths()[2];
    const ImageInfo info = readImageInfo(file, options);
    EXPECT_EQ(info.pages, 3);
    EXPECT_EQ(info.page, 0);
    EXPECT_TRUE(statesVolume(info));
    EXPECT_EQ(slicePages(info).count, 3);
    EXPECT_EQ(info.pixelSize->z, 10);
    EXPECT_THAT(info.notes, SizeIs(1)) << "unequal distances";
    const LoadedImage volume = readVolume(file, options);
    EXPECT_THAT(valuesAlongZ(volume), ElementsAre(2, 1, 3));
    for (options.page = 0; options.page < 3; ++options.page) {
        const LoadedImage page = readImage(file, options);
        EXPECT_EQ(page.info.page, options.page);
        EXPECT_EQ(page.info.pages, 3);
        EXPECT_EQ(page.image->level(0), volume.image->level(12 * static_cast<std::size_t>(options.page)));
    }
    EXPECT_THAT([&] { (void)readImage(file, options); },
                ThrowsMessage<Error>(HasSubstr("page 3 does not exist, the series has 3 pages")));
    options.page = 0;
    EXPECT_EQ(readImage(folder.paths()[3], options).image->level(0), 9) << "alone";
    EXPECT_EQ(readImageInfo(folder.paths()[3], options).pages, 1);
    EXPECT_EQ(readImageInfo(file).pages, 1) << "the file itself";
}

TEST(DicomSeries, AFileOfFramesIsAVolume) {
    Folder folder;
    folder.add("a", dicomImage(4, 3, 16, false, std::string(24 * 5, '\1'), 5));
    folder.add("b", dicomSlice(0, 1));
    EXPECT_EQ(folder.read().image->extent(), (Extent{4, 3, 5}));
    EXPECT_THAT(seriesOf(folder.paths()[0]), IsEmpty());
}

TEST(DicomSeries, ScalesOfSlicesBecomeOne) {
    Folder folder;
    for (int i = 0; i < 3; ++i) { // positron emission: a slope for each slice
        DicomFile file = dicomSlice(i, 1000);
        folder.add(std::to_string(i), file.text(0x00281053, "DS", std::to_string(i + 2)));
    }
    const LoadedImage volume = folder.read();
    const std::vector<double> values = valuesAlongZ(volume);
    ASSERT_THAT(values, SizeIs(3));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(values[i], 1000.0 * static_cast<double>(i + 2), volume.info.mapping->step);
    }
}

TEST(DicomSeries, SaysInOneLineWhatIsWrong) {
    const auto failure = [](const Folder& folder) {
        try {
            (void)folder.read();
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Folder damaged;
    damaged.add("a", dicomSlice(0, 1));
    damaged.add("b", dicomSlice(1, 1).bytes().substr(0, 300));
    EXPECT_THAT(failure(damaged), HasSubstr("cut off"));
    Folder one;
    one.add("a", dicomSlice(0, 1));
    EXPECT_THAT(failure(one), HasSubstr("has one slice"));
    Folder none;
    DicomFile report = dicomSlice(9, 99);
    report.elements.erase(0x7fe00010);
    none.add("r", report);
    none.add("s", report);
    EXPECT_THAT(failure(none), HasSubstr("no image"));
    Folder large;
    large.add("a", dicomSlice(0, 1));
    large.add("b", dicomSlice(1, 1));
    ReadOptions options;
    options.limits.maxDecodedBytes = 40;
    EXPECT_THROW((void)large.read(options), Error);
}

} // namespace

} // namespace pollard::test
