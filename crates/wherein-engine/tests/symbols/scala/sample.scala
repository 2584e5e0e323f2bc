package org.example
package shop

import scala.concurrent.{ExecutionContext, Future}

/**
 * What is bought.
 *
 * More about it.
 */
@SerialVersionUID(1L)
case class Order[T](id: Int, var name: String = "x") extends Base(id) with Finder {
  def this(id: Int) = this(id, "")

  // What it costs.
  val price: BigDecimal = compute(lines)
  lazy val first, last = lines.head
  private[shop] var owner: Owner = _
  type Key = String

  @throws[NotFound]("if there is none")
  override def find[R](key: R)(implicit ec: ExecutionContext): Option[R] = {
    def helper(x: Int) = x + 1
    val local = store.get[R](key).map(_.value)
    local.getOrElse(throw new NotFound(s"no order ${describe(key)} at $key"))
  }

  def +(other: Order[T]): Order[T] = merge(this, other)
}

object Order {
  final val Max = 50
  def apply(id: Int): Order[Int] = new Order[Int](id, "new")
  implicit class Rich(val order: Order[_]) extends AnyVal {
    def größe: Int = order.lines combine 'c'
  }
}

sealed trait Finder extends Serializable {
  val limit: Int
  var state: Int
  def first(): Order[_]
  protected type K <: String
}

abstract class Store(val root: Path, size: Int) {
  def open(): Future[Unit]
}

package object util {
  val Line = """a "raw" line"""
  def trim(text: String): String = text.trim()
}

enum Colour(val code: String):
  /** Like blood. */
  case Red extends Colour("r")
  case Blue, Green
  case Rgb(value: Int)

  def shade: String = paint(code)

given ordering: Ordering[Order[Int]] with
  def compare(a: Order[Int], b: Order[Int]): Int = a.id.compareTo(b.id)

extension (text: String)
  def shout: String = text.toUpperCase()
  def whisper: String = text.toLowerCase()

val topLevel = new java.util.ArrayList[String]()

def main(args: Array[String]): Unit =
  println(f"${topLevel.size()}%d")

package inner {
  class Deep
}

class Chain:
  def ::(head: Int): Chain = this
  def +:(head: Int): Chain = this
