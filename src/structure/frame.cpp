#include "structure/frame.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <map>

namespace gusset {
namespace {

constexpr Dimension fourth_power{.length = 4};
constexpr int removed = -1;  ///< of a degree of freedom held by a support

struct Node {
  const Section* section;
  std::string name;
  double x, y, mass;
  int floor;      ///< 0: none
  bool fixed[3];  ///< horizontal, vertical, rotation
  int dof[3];
};

using Matrix6 = Eigen::Matrix<double, 6, 6>;

std::vector<Node> read_nodes(const Document& document) {
  std::vector<Node> nodes;
  for (const Section* section : document.sections("structure.node")) {
    Node node{section,
              section->text("name"),
              section->number("x", dim::length),
              section->number("y", dim::length),
              section->has("mass") ? section->non_negative("mass", dim::mass) : 0.0,
              section->integer("floor", 0, 1, 1'000'000),
              {},
              {}};
    for (const Node& other : nodes) {
      if (other.name == node.name) {
        section->fail("name", "two nodes are called " + node.name, "give each a name of its own");
      }
    }
    for (const char axis : section->text("fixed", "")) {
      const std::size_t which = std::string("xyr").find(axis);
      if (which == std::string::npos) {
        section->fail("fixed", std::string("\"") + axis + "\" is not a direction of a planar node",
                      "write any of x (horizontal), y (vertical) and r (rotation), e.g. \"xyr\"");
      }
      node.fixed[which] = true;
    }
    if (node.fixed[0] && (node.floor > 0 || node.mass > 0)) {
      section->fail("fixed", node.name + " is held horizontally and cannot have a floor or mass",
                    "leave out floor and mass at supports");
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// Global numbers: first the dynamic ones, then the rest. Returns how many of each.
std::pair<int, int> number_freedoms(std::vector<Node>& nodes, CondensedFrame& frame, const Section& section) {
  std::map<int, double> floors;
  for (const Node& node : nodes) {
    if (node.floor > 0) floors[node.floor] += node.mass;
  }
  std::map<int, int> floor_dof;
  int dynamic = 0;
  for (const auto& [floor, mass] : floors) {
    if (!(mass > 0)) continue;
    floor_dof[floor] = dynamic++;
    frame.masses.push_back(mass);
  }
  for (Node& node : nodes) {
    if (node.floor == 0 && node.mass > 0) {
      node.dof[0] = dynamic++;
      frame.masses.push_back(node.mass);
    }
  }
  if (dynamic == 0) {
    section.fail("node", "no node of the frame has mass", "add mass = \"10 t\" to the floors' nodes");
  }
  int next = dynamic;
  for (Node& node : nodes) {
    for (int k = 0; k < 3; ++k) {
      if (node.fixed[k]) {
        node.dof[k] = removed;
      } else if (k == 0 && node.floor > 0) {
        if (!floor_dof.contains(node.floor)) floor_dof[node.floor] = next++;
        node.dof[0] = floor_dof[node.floor];
      } else if (k > 0 || node.mass == 0) {
        node.dof[k] = next++;
      }
    }
  }
  frame.influence.assign(static_cast<std::size_t>(dynamic), 1.0);
  return {dynamic, next - dynamic};
}

Matrix6 element_stiffness(double dx, double dy, double ea, double ei, bool free_from, bool free_to) {
  const double l = std::hypot(dx, dy);
  const double c = dx / l;
  const double s = dy / l;
  Matrix6 k = Matrix6::Zero();
  const double axial = ea / l;
  const double bend = ei / (l * l * l);
  k(0, 0) = k(3, 3) = axial;
  k(0, 3) = k(3, 0) = -axial;
  const double b[4][4] = {{12, 6 * l, -12, 6 * l},
                          {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                          {-12, -6 * l, 12, -6 * l},
                          {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
  const int at[4] = {1, 2, 4, 5};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) k(at[i], at[j]) = bend * b[i][j];
  }
  for (const auto& [release, r] : {std::pair(free_from, 2), std::pair(free_to, 5)}) {
    if (!release || k(r, r) == 0) continue;
    const Eigen::Matrix<double, 6, 1> column = k.col(r);
    k -= column * column.transpose() / column(r);
    k.row(r).setZero();
    k.col(r).setZero();
  }
  Matrix6 turn = Matrix6::Zero();
  for (const int o : {0, 3}) {
    turn(o, o) = turn(o + 1, o + 1) = c;
    turn(o, o + 1) = s;
    turn(o + 1, o) = -s;
    turn(o + 2, o + 2) = 1;
  }
  return turn.transpose() * k * turn;
}

const Node& find_node(const std::vector<Node>& nodes, const Section& element, const char* key) {
  const std::string name = element.text(key);
  std::vector<std::string_view> names;
  for (const Node& node : nodes) {
    if (node.name == name) return node;
    names.emplace_back(node.name);
  }
  const std::string_view near = nearest(name, names);
  element.fail(key, "there is no node \"" + name + "\"",
               near.empty() ? "write the name of a [[structure.node]]"
                            : "did you mean \"" + std::string(near) + "\"?");
}

}  // namespace

bool is_frame(const Document& document) { return !document.sections("structure.node").empty(); }

CondensedFrame read_frame(const Document& document, const Section& section) {
  CondensedFrame frame;
  std::vector<Node> nodes = read_nodes(document);
  const auto [dynamic, rest] = number_freedoms(nodes, frame, section);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(dynamic + rest, dynamic + rest);
  for (const Section* element : document.sections("structure.element")) {
    const Node& from = find_node(nodes, *element, "from");
    const Node& to = find_node(nodes, *element, "to");
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    if (!(std::hypot(dx, dy) > 0)) {
      element->fail("to", "the element has no length", "give its nodes different places");
    }
    const double modulus = element->positive("modulus", dim::pressure);
    const std::string release = element->choice("release", {"none", "from", "to", "both"}, "none");
    const Matrix6 own =
        element_stiffness(dx, dy, modulus * element->positive("area", dim::area),
                          modulus * element->non_negative("inertia", fourth_power),
                          release == "from" || release == "both", release == "to" || release == "both");
    int dof[6];
    for (int i = 0; i < 3; ++i) {
      dof[i] = from.dof[i];
      dof[3 + i] = to.dof[i];
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        if (dof[i] != removed && dof[j] != removed) k(dof[i], dof[j]) += own(i, j);
      }
    }
  }
  // A rotation nobody resists (hinges on all sides, a truss) has no force either: hold it.
  const double largest = k.diagonal().maxCoeff();
  for (const Node& node : nodes) {
    const int i = node.dof[2];
    if (i != removed && k.row(i).cwiseAbs().maxCoeff() <= 1e-14 * largest) k(i, i) = largest;
  }
  frame.stiffness = k.topLeftCorner(dynamic, dynamic);
  if (rest > 0) {
    const Eigen::MatrixXd coupling = k.topRightCorner(dynamic, rest);
    const Eigen::LDLT<Eigen::MatrixXd> factor(k.bottomRightCorner(rest, rest));
    const Eigen::VectorXd pivots = factor.vectorD();
    if (!(pivots.minCoeff() > 1e-12 * pivots.maxCoeff())) {
      section.fail("element", "the frame is a mechanism: some node can move without any force",
                   "support it, or connect the node with elements that are not released");
    }
    frame.stiffness -= coupling * factor.solve(coupling.transpose());
    frame.stiffness = 0.5 * (frame.stiffness + frame.stiffness.transpose()).eval();
  }
  return frame;
}

}  // namespace gusset
